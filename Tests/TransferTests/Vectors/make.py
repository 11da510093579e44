"""Writes backup-1 and backup-2 from the format's description, with libsodium and none of the code under test."""
import ctypes
import pathlib
import struct

sodium = ctypes.CDLL("libsodium.so.23")
assert sodium.sodium_init() >= 0
passphrase = "correct horse ❤".encode()
salt = bytes(range(16))
magic = b"WHORLBAK"


def string(value):
    return struct.pack(">I", len(value)) + value


def derive():
    key = ctypes.create_string_buffer(32)
    size = ctypes.c_ulonglong
    status = sodium.crypto_pwhash(
        key, size(32), passphrase, size(len(passphrase)), salt, size(3), ctypes.c_size_t(64 << 20), 2
    )
    assert status == 0
    return key.raw


def seal(key, header, index, last, plain):
    nonce = bytes([index]) * 24
    data = header + struct.pack(">QB", index, last)
    out = ctypes.create_string_buffer(len(plain) + 16)
    size = ctypes.c_ulonglong
    status = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
        out, None, plain, size(len(plain)), data, size(len(data)), None, nonce, key
    )
    assert status == 0
    return string(nonce + out.raw)


def item(group, service, account, attributes, control, created, modified):
    identity = string(b"genp") + string(group) + string(account) + string(service) + string(b"")
    pairs = struct.pack(">I", len(attributes)) + b"".join(string(k) + string(v) for k, v in attributes)
    return identity + pairs + string(control) + struct.pack(">QQ", created, modified)


# The binary forms of “none” and “userPresence”, both whenUnlocked.
NONE = bytes.fromhex("01010000000000000000")
PRESENCE = bytes.fromhex("01010000000100000000")
items = [
    (item(b"whorl", b"mail", b"alice", [(b"labl", b"Mail")], PRESENCE, 1700000000, 1700000001), b"hunter2"),
    (item(b"whorl", b"", "ключ".encode(), [], NONE, 1700000002, 1700000003), bytes(range(256))),
    (item(b"other", b"a/b", b"empty", [(b"a", b""), (b"b", b"\x00\xff")], NONE, 0, 1), b""),
]
key = derive()


def write(version, stores):
    header = magic + bytes([version]) + salt
    file = header
    for index, ((description, secret), store) in enumerate(zip(items, stores)):
        file += seal(key, header, index, 0, string(description + store) + secret)
    file += seal(key, header, len(items), 1, struct.pack(">QQ", len(items), 1700000004))
    checksum = ctypes.create_string_buffer(32)
    sodium.crypto_generichash(checksum, ctypes.c_size_t(32), file, ctypes.c_ulonglong(len(file)), None, ctypes.c_size_t(0))
    (pathlib.Path(__file__).parent / ("backup-%d" % version)).write_bytes(file + checksum.raw)


write(1, [b""] * 3)
write(2, [b"\x02", b"\x01", b"\x00"])
