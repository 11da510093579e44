"""secret-service.py unlock|dismiss FILE [FAULT:NUMBER…]: a small Secret Service with a person who answers its
prompts, all in one way. Writes a line to FILE for each prompt. gnome-keyring's own prompt needs a desktop.
The items of these numbers, from 1, are at fault: “gone” is listed and not there, “secret” does not give
its secret, “delete” does not let itself be deleted. “shut”: there is a second collection, which is
locked and shows nothing of what is in it."""
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

PREFIX = "org.freedesktop.Secret."
ROOT = "/org/freedesktop/secrets"
DEFAULT = ROOT + "/collection/only"
SECOND = ROOT + "/collection/second"
answer, notes = sys.argv[1:3]
faults = set(sys.argv[3:])
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()


class Object(dbus.service.Object):
    def __init__(self, path):
        super().__init__(bus, path)

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return self.properties()

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.properties()[name]


class Item(Object):
    def __init__(self, number, label, attributes, secret):
        self.path = "%s/%d" % (DEFAULT, number)
        self.label, self.attributes, self.secret = label, attributes, secret
        super().__init__(self.path)
        self.number = number
        if self.has("gone"):
            self.remove_from_connection()

    def has(self, fault):
        return "%s:%d" % (fault, self.number) in faults

    def fail(self, fault):
        if self.has(fault):
            raise dbus.DBusException("the drawer is jammed", name="org.freedesktop.DBus.Error.Failed")

    def properties(self):
        return {
            "Locked": dbus.Boolean(collection.locked),
            "Attributes": dbus.Dictionary(self.attributes, signature="ss"),
            "Label": dbus.String(self.label),
            "Created": dbus.UInt64(1),
            "Modified": dbus.UInt64(1),
        }

    @dbus.service.method(PREFIX + "Item", in_signature="o", out_signature="(oayays)")
    def GetSecret(self, session):
        if collection.locked:
            raise dbus.DBusException(name=PREFIX + "Error.IsLocked")
        self.fail("secret")
        return dbus.Struct((session, dbus.ByteArray(b""), dbus.ByteArray(self.secret), "text/plain"))

    @dbus.service.method(PREFIX + "Item", out_signature="o")
    def Delete(self):
        self.fail("delete")
        del collection.items[self.path]
        self.remove_from_connection()
        return "/"


class Collection(Object):
    def __init__(self, path=DEFAULT, label="Only", locked=False):
        self.items, self.number, self.label, self.locked = {}, 0, label, locked
        super().__init__(path)

    def properties(self):
        return {
            "Items": dbus.Array(self.items.keys(), signature="o"),
            "Label": dbus.String(self.label),
            "Locked": dbus.Boolean(self.locked),
            "Created": dbus.UInt64(1),
            "Modified": dbus.UInt64(1),
        }

    @dbus.service.method(
        PREFIX + "Collection", in_signature="a{sv}(oayays)b", out_signature="oo", byte_arrays=True
    )
    def CreateItem(self, properties, secret, replace):
        self.number += 1
        attributes = properties[PREFIX + "Item.Attributes"]
        item = Item(self.number, properties[PREFIX + "Item.Label"], attributes, bytes(secret[2]))
        self.items[item.path] = item
        return item.path, "/"


class Prompt(Object):
    """Answered when it is shown, by a person who takes a little time."""

    @dbus.service.method(PREFIX + "Prompt", in_signature="s")
    def Prompt(self, window):
        with open(notes, "a") as file:
            file.write(answer + "\n")
        GLib.timeout_add(300, self.end)

    def end(self):
        collection.locked = collection.locked and answer != "unlock"
        paths = [] if collection.locked else self.paths
        self.Completed(collection.locked, dbus.Array(paths, signature="o", variant_level=1))
        self.remove_from_connection()

    @dbus.service.signal(PREFIX + "Prompt", signature="bv")
    def Completed(self, dismissed, result):
        pass


class Service(Object):
    prompts = 0

    def properties(self):
        paths = [DEFAULT, SECOND] if "shut" in faults else [DEFAULT]
        return {"Collections": dbus.Array(paths, signature="o")}

    @dbus.service.method(PREFIX + "Service", in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, value):
        if algorithm != "plain":
            raise dbus.DBusException(name="org.freedesktop.DBus.Error.NotSupported")
        return dbus.String("", variant_level=1), ROOT + "/session/1"

    @dbus.service.method(PREFIX + "Service", in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        return DEFAULT if name == "default" else "/"

    @dbus.service.method(PREFIX + "Service", in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, wanted):
        found = [
            path
            for path, item in collection.items.items()
            if all(item.attributes.get(name) == value for name, value in wanted.items())
        ]
        return ([], found) if collection.locked else (found, [])

    @dbus.service.method(PREFIX + "Service", in_signature="ao", out_signature="aoo")
    def Lock(self, paths):
        collection.locked = True
        return paths, "/"

    @dbus.service.method(PREFIX + "Service", in_signature="ao", out_signature="aoo")
    def Unlock(self, paths):
        if not collection.locked:
            return paths, "/"
        self.prompts += 1
        prompt = Prompt("%s/prompt/%d" % (ROOT, self.prompts))
        prompt.paths = paths
        return [], "%s/prompt/%d" % (ROOT, self.prompts)


collection = Collection()
second = Collection(SECOND, "Second", True)
service = Service(ROOT)
name = dbus.service.BusName("org.freedesktop.secrets", bus)
GLib.MainLoop().run()
