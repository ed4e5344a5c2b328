# SPDX-License-Identifier: MIT
"""What captures are packed with: zstd's streams, by its library."""
import ctypes

_zstd = ctypes.CDLL('libzstd.so.1')
for _name, _types in (('compressBound', [ctypes.c_size_t]), ('isError', [ctypes.c_size_t]),
                      ('compress', [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int])):
    getattr(_zstd, 'ZSTD_' + _name).argtypes = _types
    getattr(_zstd, 'ZSTD_' + _name).restype = ctypes.c_size_t


def pack(data):
    room = ctypes.create_string_buffer(_zstd.ZSTD_compressBound(len(data)))
    size = _zstd.ZSTD_compress(room, len(room), data, len(data), 1)
    assert not _zstd.ZSTD_isError(size)
    return room.raw[:size]
