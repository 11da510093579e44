"""system-prompter.py [PASSWORD…]: answers the prompts of gnome-keyring in a person's place, with each password in
its turn, and dismisses the prompt where there is no other. Prints the kind of each, and its warning.

It is org.gnome.keyring.SystemPrompter, as gcr-prompter is on a desktop. The password travels by sx-aes-1:
Diffie-Hellman in the 1536 bit group of RFC 3526, HKDF-SHA256, AES-128-CBC."""
import base64
import ctypes
import hashlib
import hmac
import os
import secrets
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA237327FFFFFFFFFFFFFFFF",
    16,
)
INTERFACE = "org.gnome.keyring.internal.Prompter"
crypto = ctypes.CDLL("libcrypto.so.3")
crypto.EVP_CIPHER_CTX_new.restype = ctypes.c_void_p
crypto.EVP_aes_128_cbc.restype = ctypes.c_void_p


def encrypted(key, vector, text):
    context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    out, count, rest = ctypes.create_string_buffer(len(text) + 32), ctypes.c_int(), ctypes.c_int()
    assert crypto.EVP_EncryptInit_ex(context, ctypes.c_void_p(crypto.EVP_aes_128_cbc()), None, key, vector)
    assert crypto.EVP_EncryptUpdate(context, out, ctypes.byref(count), text, len(text))
    assert crypto.EVP_EncryptFinal_ex(context, ctypes.byref(out, count.value), ctypes.byref(rest))
    return out.raw[: count.value + rest.value]


class Exchange:
    def __init__(self):
        self.private = secrets.randbits(1024)
        self.key = None

    def receive(self, text):
        fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        peer = int.from_bytes(base64.b64decode(fields["public"]), "big")
        shared = pow(peer, self.private, PRIME).to_bytes(192, "big")
        extracted = hmac.new(bytes(32), shared, hashlib.sha256).digest()
        self.key = hmac.new(extracted, b"\x01", hashlib.sha256).digest()[:16]

    def send(self, password=None):
        def encoded(data):
            return base64.b64encode(data).decode()

        public = pow(2, self.private, PRIME)
        lines = ["[sx-aes-1]", "public=" + encoded(public.to_bytes(192, "big"))]
        if password is not None:
            vector = os.urandom(16)
            lines += ["secret=" + encoded(encrypted(self.key, vector, password)), "iv=" + encoded(vector)]
        return "\n".join(lines)


class Prompter(dbus.service.Object):
    def __init__(self, bus, passwords):
        super().__init__(bus, "/org/gnome/keyring/Prompter")
        self.bus, self.passwords, self.exchanges = bus, passwords, {}

    def call(self, callback, member, *arguments):
        prompt = dbus.Interface(self.bus.get_object(*callback), INTERFACE + ".Callback")
        getattr(prompt, member)(*arguments, reply_handler=lambda: None, error_handler=lambda error: None)

    def ready(self, callback, reply, sent):
        self.call(callback, "PromptReady", reply, dbus.Dictionary({}, signature="sv"), sent)

    @dbus.service.method(INTERFACE, in_signature="o", sender_keyword="sender")
    def BeginPrompting(self, path, sender):
        self.exchanges[sender, path] = Exchange()
        GLib.idle_add(self.ready, (sender, path), "", self.exchanges[sender, path].send())

    @dbus.service.method(INTERFACE, in_signature="osa{sv}s", sender_keyword="sender")
    def PerformPrompt(self, path, kind, properties, received, sender):
        exchange = self.exchanges[sender, path]
        exchange.receive(received)
        print(kind, properties.get("warning", ""), flush=True)
        if self.passwords:
            password = self.passwords.pop(0).encode()
            GLib.idle_add(self.ready, (sender, path), "yes", exchange.send(password))
        else:
            GLib.idle_add(self.ready, (sender, path), "no", exchange.send())

    @dbus.service.method(INTERFACE, in_signature="o", sender_keyword="sender")
    def StopPrompting(self, path, sender):
        GLib.idle_add(self.call, (sender, path), "PromptDone")


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
session = dbus.SessionBus()
name = dbus.service.BusName("org.gnome.keyring.SystemPrompter", session, do_not_queue=True)
prompter = Prompter(session, sys.argv[1:])
print("ready", flush=True)
GLib.MainLoop().run()
