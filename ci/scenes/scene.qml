// SPDX-License-Identifier: MIT
// Gradients, turned and blended rectangles, a clipped list, layers and text: for Qt 5 and Qt 6.
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
    visible: true
    width: 640
    height: 480
    color: "#204060"

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
        model: 24
        Rectangle {
            x: 60 + (index % 8) * 66
            y: 60 + Math.floor(index / 8) * 100
            width: 56
            height: 80
            rotation: index * 15
            opacity: 0.4 + index / 40
            radius: index
            color: Qt.hsva(index / 24, 0.8, 0.9, 1)
            border.color: "white"
            border.width: 3
            layer.enabled: index % 3 == 0
            layer.smooth: true
        }
    }
    Item {
        x: 200
        y: 340
        width: 240
        height: 90
        clip: true
        Rectangle { x: -30; y: -30; width: 200; height: 200; radius: 100; color: "#40c080" }
        Text {
            anchors.centerIn: parent
            font.pixelSize: 48
            font.bold: true
            color: "white"
            text: "Cayman"
        }
    }
}
