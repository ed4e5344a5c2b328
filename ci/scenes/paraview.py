# SPDX-License-Identifier: MIT
"""For ParaView's own Python (paraview --script=): a wavelet's contours in colours, and its outline."""
from paraview.simple import ColorBy, Contour, GetActiveViewOrCreate, Outline, Render, ResetCamera, Show, Wavelet

view = GetActiveViewOrCreate('RenderView')
wavelet = Wavelet(WholeExtent=[-10, 10, -10, 10, -10, 10])
contours = Contour(Input=wavelet, ContourBy=['POINTS', 'RTData'], Isosurfaces=[100.0, 157.0, 200.0])
shown = Show(contours, view)
ColorBy(shown, ('POINTS', 'RTData'))
shown.RescaleTransferFunctionToDataRange(True)
shown.SetScalarBarVisibility(view, True)
view.OrientationAxesVisibility = 0
Show(Outline(Input=wavelet), view)
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [60, 40, 50], [0, 0, 0], [0, 0, 1]
ResetCamera(view)
Render(view)
