#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A compositor and what it shows: sway on a screen of its own that leads nowhere, a paused video in mpv by
# Wayland, another one by Xwayland, and the whole screen as grim reads it.
#
#   sway.sh PICTURE
#
# With the render node sway draws by OpenGL ES, and gets the clients' pictures as DMA-BUFs; without it, it
# draws by pixman, on the processor.  sway refuses to run as root.
set -eu

if [ "$(id -u)" = 0 ]; then
	chown -R 65534:65534 "$HOME"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$0" "$HOME/picture.png"
	exec cp "$HOME/picture.png" "$1"
fi
cd "$HOME"
case ${LD_PRELOAD:-} in
*libatoll-shim*) export WLR_RENDERER=gles2 WLR_RENDER_DRM_DEVICE=/dev/dri/renderD128 ;;
*) export WLR_RENDERER=pixman ;;
esac
cat >config <<EOF
output * mode 1024x600 bg #334466 solid_color
default_border none
seat * hide_cursor 1
exec echo "\$WAYLAND_DISPLAY \$DISPLAY" >displays
EOF
WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 sway -V -c config >sway.log 2>&1 &
sway=$!
trap 'kill $sway 2>/dev/null' EXIT

# The word $1 in the file $2, within two minutes.
await() {
	n=0
	until grep -q "$1" "$2" 2>/dev/null; do
		n=$((n + 1))
		if [ $n -gt 600 ]; then
			echo "no '$1' in $2:"
			tail -n 5 "$2"
			exit 1
		fi
		sleep 0.2
	done
}

# mpv by the context $1, with the pattern $2; its log is $1.log.
video() {
	mpv -v --no-config --vo=gpu --gpu-context="$1" --hwdec=no --ao=null --pause --osd-level=0 --no-osc --start=2 \
		"av://lavfi:$2=size=640x480:rate=25:duration=9" >"$1.log" 2>&1 &
	await 'first video frame' "$1.log"
	sed -n "s/.*GL_RENDERER='\(.*\)'.*/GL_RENDERER: \1/p" "$1.log"
}

await : displays
read -r WAYLAND_DISPLAY DISPLAY <displays
export WAYLAND_DISPLAY DISPLAY
video wayland testsrc2
video x11egl smptehdbars
sleep 3
grim "$1"
sed -n 's/.*GL renderer: /GL_RENDERER: /p' sway.log
