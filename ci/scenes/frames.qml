// SPDX-License-Identifier: MIT
// The scene of scene.qml, turning, with layers of several samples: ends after a number of frames.
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
    id: window
    property int frames: 0
    visible: true
    width: 800
    height: 600
    color: "#204060"
    onFrameSwapped: {
        frames++;
        if (frames == 150)
            Qt.quit();
        update();
    }

    Rectangle {
        anchors.fill: parent
        anchors.margins: 16
        radius: 24
        gradient: Gradient {
            GradientStop { position: 0.0; color: "#f0c040" }
            GradientStop { position: 0.5; color: "#c04060" }
            GradientStop { position: 1.0; color: "#203080" }
        }
    }
    Repeater {
        model: 40
        Rectangle {
            x: 50 + (index % 8) * 90
            y: 40 + Math.floor(index / 8) * 105
            width: 76
            height: 90
            rotation: index * 15 + window.frames * 2
            opacity: 0.4 + index / 80
            radius: index / 2
            color: Qt.hsva(index / 40, 0.8, 0.9, 1)
            border.color: "white"
            border.width: 3
            layer.enabled: index % 3 == 0
            layer.smooth: true
            layer.samples: 4
        }
    }
    Text {
        anchors.centerIn: parent
        font.pixelSize: 64
        font.bold: true
        color: "white"
        text: "Cayman " + window.frames
    }
}
