# SPDX-License-Identifier: MIT
"""Faults planted in a capture: registers set before a draw, packets after it, memory, another order.

The capture (tessellation-geometry.cs) draws a grey background and, in draw 1.1, white over it.
"""
import re
import struct
import subprocess

MAP, UNMAP, PAGE, SUBMIT, HASH = range(1, 6)
PAGE_BYTES = 4096
SPARE = 0x1a0000000 # addresses that the capture does not use
DRAWS = 0x27, 0x2b, 0x2d, 0x2e # opcodes of the capture's draws
MEM_WRITE, SET_CONTEXT_REG = 0x3d, 0x69
ALWAYS, NEVER, GREATER, EQUAL = 7, 0, 4, 2
GREY, WHITE = 0xff808080, 0xffffffff

REGISTER, FIELD = {}, {}


def read_registers(path):
    """The names that registers() and value() know."""
    with open(path, encoding='ascii') as file:
        text = file.read()
    REGISTER.update((name, int(at, 16)) for name, at in re.findall(r'^REG(?:ARRAY)?\((\w+), (0x[0-9A-F]+)', text, re.M))
    FIELD.update(((register, name), int(shift))
                 for register, name, shift in re.findall(r'FIELD\((\w+), (\w+), (\d+),', text))


def value(register, **fields):
    return sum(number << FIELD[register, name] for name, number in fields.items())


def packet(opcode, *payload):
    return [3 << 30 | len(payload) - 1 << 16 | opcode << 8, *payload]


def registers(**values):
    return [word for name, number in values.items()
            for word in packet(SET_CONTEXT_REG, (REGISTER[name] - 0x28000) // 4, number)]


def assemble(tool, source):
    """The words of a program, as bytes."""
    done = subprocess.run([tool, '--format=raw', '-o', '-', '-'], input=source.encode(), capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b''), done.stderr
    return done.stdout


def records(data):
    at = 8
    while at < len(data):
        kind, client, a, b = struct.unpack_from('<4Q', data, at)
        size = PAGE_BYTES if kind == PAGE else (b + 1) // 2 * 8 if kind == SUBMIT else 0
        yield kind, client, a, b, data[at + 32:at + 32 + size]
        at += 32 + size


def planted(capture, before=(), after=(), memory=(), end=(), first=(), between=()):
    """The capture with words before and after draw 1.1, at the end of submission 1, and pages of its own, written
    before submission 1; and pages of the capture, written before it (first) or before submission 2 (between)."""
    with open(capture, 'rb') as file:
        data = file.read()
    out, submissions = bytearray(data[:8]), 0
    for kind, client, a, b, payload in records(data):
        if kind == SUBMIT:
            submissions += 1
        if kind == SUBMIT and submissions == 1:
            for address, content in memory:
                out += struct.pack('<4Q', MAP, client, address, -len(content) % PAGE_BYTES + len(content))
                content = content.ljust(-(-len(content) // PAGE_BYTES) * PAGE_BYTES, b'\0')
                for n in range(0, len(content), PAGE_BYTES):
                    out += struct.pack('<4Q', PAGE, client, address + n, 0) + content[n:n + PAGE_BYTES]
            words, at, draws, new = list(struct.unpack(f'<{b}I', payload[:4 * b])), 0, 0, []
            while at < b:
                header = words[at]
                size = 1 if header >> 30 == 2 else 2 + (header >> 16 & 0x3fff)
                is_draw = header >> 30 == 3 and header >> 8 & 255 in DRAWS
                draws += is_draw
                new += list(before) if is_draw and draws == 2 else []
                new += words[at:at + size]
                new += list(after) if is_draw and draws == 2 else []
                at += size
            new += end
            b = len(new)
            payload = struct.pack(f'<{b + b % 2}I', *new, *[0] * (b % 2))
        if kind == SUBMIT and submissions in (1, 2):
            for address, content in (first, between)[submissions - 1]:
                out += struct.pack('<4Q', PAGE, client, address, 0) + content
        out += struct.pack('<4Q', kind, client, a, b) + payload
    return bytes(out)


def depth_surface(planes, **control):
    """Registers of a depth and a stencil plane, each of a byte's value, and their memory."""
    z, s = SPARE, SPARE + 0x100000
    memory = [(z, bytes([planes[0]]) * (256 * 256 * 4)), (s, bytes([planes[1]]) * (256 * 256))]
    return registers(DB_Z_INFO=value('DB_Z_INFO', FORMAT=3), DB_STENCIL_INFO=1, DB_Z_READ_BASE=z >> 8,
                     DB_Z_WRITE_BASE=z >> 8, DB_STENCIL_READ_BASE=s >> 8, DB_STENCIL_WRITE_BASE=s >> 8,
                     DB_DEPTH_SIZE=value('DB_DEPTH_SIZE', PITCH_TILE_MAX=31, HEIGHT_TILE_MAX=31),
                     DB_DEPTH_SLICE=32 * 32 - 1, DB_DEPTH_VIEW=0,
                     DB_STENCILREFMASK=value('DB_STENCILREFMASK', STENCILREF=5, STENCILMASK=255,
                                             STENCILWRITEMASK=255),
                     DB_DEPTH_CONTROL=value('DB_DEPTH_CONTROL', **control)), memory


# Notes of programs (include/atoll/notes.h).
NOTE_NAME, NOTE_GLSL, NOTE_NIR, NOTE_IL, NOTE_MAP = range(5)
IL_TEXT = 'il_ps_2_0\ndcl_output_generic o0\nmov r0, l0\nmul r0.z, r0.x, l1\nmov o0, r0\nend\n'


def notes(*parts, va=SPARE, magic=b'ATOLNOTE', extra=0):
    body = b''.join(struct.pack('<II', kind, len(data)) + data + bytes(-len(data) % 8) for kind, data in parts)
    return struct.pack('<8sQII', magic, va, 24 + len(body) + extra, len(parts)) + body


def noted_program(tool):
    """A pixel program, up to where notes may come, and its notes: two groups of two slots, of lines 3 and 4 of the IL."""
    code = assemble(tool, 'ALU:\n 0 x: MOV R0.x, 0.5f\n   y: MOV R0.y, 1.0f\n 1 z: MUL_IEEE R0.z, R0.x, 1.0f\n'
                          '   w: MOV R0.w, 1.0f\nEXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n')
    # The ALU clause begins where its CF instruction says.
    lines, at = [0] * (len(code) // 8), struct.unpack('<I', code[:4])[0] & 0x3fffff
    lines[0], lines[1], lines[at:at + 4] = 3, 5, [3, 3, 4, 4]
    return code.ljust(512, b'\0'), notes(
        (NOTE_NAME, b'pixel, the green one'), (NOTE_GLSL, b'void main()\n{\n}'), (99, b'of a later build'), (NOTE_NIR, b'impl main'),
        (NOTE_IL, IL_TEXT.encode()), (NOTE_MAP, struct.pack(f'<{len(lines)}I', *lines)))
