// SPDX-License-Identifier: MIT
difference() {
  union() { cube(30, center = true); translate([0, 0, 15]) cylinder(h = 20, r = 10, $fn = 60); }
  sphere(18, $fn = 60);
  rotate([90, 0, 0]) cylinder(h = 60, r = 6, center = true, $fn = 40);
}
