#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""capture.py REPLAY PROGRAM CAPTURE: the capture format (include/atoll/capture.h), written and read.

What PROGRAM gives to the device replays to the same hashes.  CAPTURE, of format 1, gives the same in
formats 2 and 3, and what it gives in format 4 are other hashes; what is no capture, or one that this device cannot have
written, is refused with the reason.
"""
import os
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

import packed

REPLAY, PROGRAM, CAPTURE = sys.argv[1:]
del sys.argv[1:]
HEADER = '<8sII48s64s'
DEVICE = b"radeon (Atoll's Cayman)"


def header(magic=b'ATOLLCAP', version=2, size=struct.calcsize(HEADER), device=DEVICE, build=b'some build'):
    return struct.pack(HEADER, magic, version, size, device, build)


def header_3(isa=0, size=136):
    """Format 3 ends in the instruction set and a zero."""
    return header(version=3, size=size) + struct.pack('<II', isa, 0)


def header_4(frame=1, size=136):
    """Format 4 has the number of its first frame there."""
    return header(version=4, size=size) + struct.pack('<II', 0, frame)


class Capture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, 'a.cap')
        with open(CAPTURE, 'rb') as file:
            self.old = file.read()
        self.records = self.old[8:]

    def replay(self, data, *options):
        with open(self.path, 'wb') as file:
            file.write(data)
        done = subprocess.run([REPLAY, *options, self.path], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr.replace(self.path + ': ', '')

    def test_written(self):
        subprocess.run([PROGRAM], env={**os.environ, 'ATOLL_CS_CAPTURE': self.path}, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        with open(self.path, 'rb') as file:
            data = file.read()
        magic, version, size, device, build = struct.unpack_from(HEADER, data)
        self.assertEqual((magic, version, size, device.rstrip(b'\0')), (b'ATOLLCAP', 4, 136, DEVICE))
        self.assertEqual(data[128:136], struct.pack('<II', 0, 1))
        code, out, err = self.replay(data)
        self.assertEqual((code, err), (0, ''))
        lines = out.splitlines()
        self.assertEqual(lines[0], f"format 4, device {DEVICE.decode()}, build {build.rstrip(bytes(1)).decode()}")
        self.assertRegex(lines[0], r', build \d+\.\d+\.\d+-\w')
        self.assertEqual(lines[1], 'frame 1')
        self.assertEqual(lines[-1], f'{len(lines) - 3} submissions, 0 differ')
        self.assertGreater(len(lines), 10)
        # What was written before the process ended or the disk was full: the submissions up to there.
        code, out, err = self.replay(data[:len(data) // 2])
        self.assertLess(code, 2)
        self.assertTrue(set(lines[:3]) <= set(out.splitlines()), out)
        self.assertLess(len(out.splitlines()), len(lines))

    def test_formats(self):
        code, out, err = self.replay(self.old)
        self.assertEqual((code, err), (0, ''))
        first, *rest = out.splitlines()
        self.assertEqual(first, 'format 1, device and build not recorded')
        self.assertEqual(rest[-1], '1 submissions, 0 differ')
        # The same records after today's header, the one before it, and longer ones.
        for longer in 0, 8, 120:
            code, out, err = self.replay(header(size=128 + longer) + bytes(longer) + self.records)
            self.assertEqual((code, err), (0, ''))
            self.assertEqual(out.splitlines(), ["format 2, device radeon (Atoll's Cayman), build some build", *rest])
            code, out, err = self.replay(header_3(size=136 + longer) + bytes(longer) + self.records)
            self.assertEqual((code, err), (0, ''))
            self.assertEqual(out.splitlines(), ["format 3, device radeon (Atoll's Cayman), build some build", *rest])

    def test_packed(self):
        """Format 4: the same submission, whose hash is another; a stream that is damaged or has no end."""
        code, out, err = self.replay(header_4(frame=3) + packed.pack(self.records))
        self.assertEqual((code, err), (4, ''))
        lines = out.splitlines()
        self.assertEqual(lines[:2], ["format 4, device radeon (Atoll's Cayman), build some build", 'frame 3'])
        self.assertRegex(lines[2], r'^     1 client 1 [0-9a-f]{16} differs$')
        # Its own hash, and what was counted before.
        given = self.records[:-16] + struct.pack('<QQ', int(lines[2].split()[3], 16), 0)
        counted = struct.pack('<6Q', 6, 1, 2, 0, 5, 6) + struct.pack('<4Q', 7, 1, 9, 0)
        code, out, err = self.replay(header_4() + packed.pack(counted + given))
        self.assertEqual((code, err, out.splitlines()[1::2]), (0, '', ['frame 9', '1 submissions, 0 differ']))
        code, out, err = self.replay(header_4() + packed.pack(struct.pack('<4Q', 6, 1, 65, 0) + bytes(65 * 8) + given))
        self.assertEqual(code, 1)
        self.assertIn('error: the record of kind 6 before byte 32 cannot be replayed', err)
        whole = packed.pack(given)
        code, out, err = self.replay(header_4() + whole[:40] + bytes(len(whole) - 40))
        self.assertEqual((code, out), (1, ''))
        self.assertRegex(err, r'^error: the capture is damaged: \w')
        code, out, err = self.replay(header_4() + b'not packed')
        self.assertEqual((code, out, err), (1, '', 'error: the capture is damaged: Unknown frame descriptor\n'))
        code, out, err = self.replay(header_4() + packed.pack(bytes(40 << 20)), '--memory=32')
        self.assertEqual((code, out), (1, ''))
        self.assertEqual(err, f'error: it unpacks to more than {32 << 20} bytes; --memory=MIB allows more\n')

    def test_refused(self):
        for data, reason in (
                (b'', 'not a capture'),
                (b'ATOLLCP', 'not a capture'),
                (b'ATOLLCP3' + self.records, 'not a capture'),
                (header()[:127], 'the capture ends within its header'),
                (header(version=1) + self.records, 'a capture of format 1; this build reads 1 to 4'),
                (header(version=5) + self.records, 'a capture of format 5; this build reads 1 to 4'),
                (header_3(size=128) + self.records, "the capture's header is damaged"),
                (header_3(isa=9) + self.records, 'captured with an instruction set that this build does not have'),
                (header(size=120) + self.records, "the capture's header is damaged"),
                (header(size=132) + self.records, "the capture's header is damaged"),
                (header(size=1 << 31) + self.records, "the capture's header is damaged"),
                (header(device=48 * b'x') + self.records, "the capture's header is damaged"),
                (header(build=b'a bell\a') + self.records, "the capture's header is damaged"),
                (header(device=b'\x8c') + self.records, "the capture's header is damaged"),
                (header(build=64 * b'x') + self.records, "the capture's header is damaged"),
                (header(device=b'panfrost (a Mali)') + self.records,
                 "captured on another device, panfrost (a Mali); this is radeon (Atoll's Cayman)"),
        ):
            code, out, err = self.replay(data)
            self.assertEqual((code, out, err), (1, '', f'error: {reason}\n'), reason)

    def test_differs(self):
        kind, client, value, zero = struct.unpack('<4Q', self.records[-32:])
        self.assertEqual((kind, zero), (5, 0))
        code, out, err = self.replay(self.old[:-32] + struct.pack('<4Q', kind, client, value ^ 1, 0))
        self.assertEqual((code, err), (4, ''))
        self.assertEqual(out.splitlines()[-2:], [f'     1 client {client} {value:016x} differs',
                                                 '1 submissions, 1 differ'])

    def test_damaged_records(self):
        for record in (9, 1, 0, 0), (4, 1, 0, 0), (4, 1, 0, 1 << 63), (3, 1, 1 << 40, 0), (1, 1, 4096, 4096):
            code, out, err = self.replay(header() + struct.pack('<4Q', *record) + bytes(4096))
            self.assertEqual(code, 1, record)
            self.assertIn(f'error: the record of kind {record[0]} before byte ', err)

    def test_large_buffers(self):
        """A hundred bytes ask for gigabytes: no more memory than for others, and not without end."""
        def asked(mib):
            return header() + struct.pack('<8Q', 1, 1, 1 << 28, mib << 20, 5, 1, 0, 0)

        code, out, err = self.replay(asked(3000))
        self.assertEqual((code, out.splitlines()[1:]), (1, ['0 submissions, 0 differ']))
        self.assertIn('error: a buffer of 3145728000 bytes, ', err)
        self.assertIn('--memory=MIB', err)
        code, out, err = self.replay(asked(900))
        self.assertEqual((code, err, out.splitlines()[1:]),
                         (0, '', [f'     1 client 1 {0:016x}', '1 submissions, 0 differ']))
        # TSan has several bytes for each that the program has.
        with open(REPLAY, 'rb') as file:
            if b'__tsan_init' not in file.read():
                self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 500 << 10)


unittest.main()
