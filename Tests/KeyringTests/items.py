"""items.py fill COUNT ALIAS | dump [NAME=VALUE] | paths | count | secret TEXT PATH… | bytes PATH HEX
| label TEXT PATH | delete PATH | lock | drop: a client of the Secret Service that shares no code with the one
under test. Prints JSON; bytes are hexadecimal."""
import json
import random
import sys

import dbus

PREFIX = "org.freedesktop.Secret."
bus = dbus.SessionBus()
root = bus.get_object("org.freedesktop.secrets", "/org/freedesktop/secrets")
service = dbus.Interface(root, PREFIX + "Service")
_, session = service.OpenSession("plain", dbus.String("", variant_level=1))


def odd(number):
    """Label, attributes and secret of an item: the same on every run."""
    dice = random.Random(number)
    attributes = [
        {},
        {"service": "mail", "account": "user%d" % number},
        {"service": "mail", "account": "the same"},
        {"empty": "", "number": str(number)},
        {"Schlüssel": "値 \U0001f511 e\u0301", "number": str(number)},
        {"long": "x" * (4096 if number % 100 == 5 else 40), "number": str(number)},
        {"account": "a/b/c/", "number": str(number)},
        {"service": "new\nline \x1b[31m", "account": "-dash %d" % number},
        {"attribute%d" % i: str(i) for i in range(40)},
        {"username": "\u202eright", "url": "https://example.org/%d" % number},
    ][number % 10]
    label = ["Label %d", "", "Ünïcode \u2028 %d", "same"][number % 4]
    label = label % number if "%d" in label else label
    # The keyring is written anew for each item, so that long ones are few.
    length = 70000 if number % 400 == 7 else dice.choice([0, 1, 12, 12, 12, 32, 64, 100])
    return label, attributes, dice.randbytes(length)


def create(collection, number):
    label, attributes, secret = odd(number)
    collection.CreateItem(
        {
            PREFIX + "Item.Label": label,
            PREFIX + "Item.Attributes": dbus.Dictionary(attributes, signature="ss"),
        },
        dbus.Struct((session, dbus.ByteArray(b""), dbus.ByteArray(secret), "text/plain"), signature="oayays"),
        False,
    )


def search(wanted):
    unlocked, locked = service.SearchItems(dbus.Dictionary(wanted, signature="ss"))
    if wanted or unlocked or locked:
        return unlocked, locked
    # KeePassXC finds nothing by no attributes.
    get = dbus.Interface(root, "org.freedesktop.DBus.Properties").Get
    paths = []
    for path in get(PREFIX + "Service", "Collections"):
        collection = bus.get_object("org.freedesktop.secrets", path)
        paths += dbus.Interface(collection, "org.freedesktop.DBus.Properties").Get(PREFIX + "Collection", "Items")
    return dbus.Array(paths, signature="o"), []


def dump(words):
    unlocked, locked = search(dict(word.split("=", 1) for word in words))
    secrets = service.GetSecrets(unlocked, session) if unlocked else {}
    items = []
    for path in unlocked:
        get = dbus.Interface(bus.get_object("org.freedesktop.secrets", path), "org.freedesktop.DBus.Properties").Get
        attributes = get(PREFIX + "Item", "Attributes")
        items.append(
            {
                "path": path,
                "label": str(get(PREFIX + "Item", "Label")),
                "attributes": {str(k): str(v) for k, v in attributes.items()},
                "secret": bytes(secrets[path][2]).hex(),
            }
        )
    return {"items": items, "locked": [str(path) for path in locked]}


def item(path):
    return dbus.Interface(bus.get_object("org.freedesktop.secrets", path), PREFIX + "Item")


command = sys.argv[1]
if command == "fill":
    path = service.ReadAlias(sys.argv[3])
    collection = dbus.Interface(bus.get_object("org.freedesktop.secrets", path), PREFIX + "Collection")
    for number in range(int(sys.argv[2])):
        create(collection, number)
elif command == "secret":
    secret = dbus.ByteArray(sys.argv[2].encode())
    for path in sys.argv[3:]:
        item(path).SetSecret(dbus.Struct((session, dbus.ByteArray(b""), secret, "text/plain"), signature="oayays"))
elif command == "bytes":
    item(sys.argv[2]).SetSecret(
        dbus.Struct((session, dbus.ByteArray(b""), dbus.ByteArray(bytes.fromhex(sys.argv[3])), "text/plain"), signature="oayays")
    )
elif command == "label":
    dbus.Interface(item(sys.argv[3]), "org.freedesktop.DBus.Properties").Set(PREFIX + "Item", "Label", sys.argv[2])
elif command == "delete":
    item(sys.argv[2]).Delete()
elif command == "drop":
    path = service.ReadAlias("default")
    dbus.Interface(bus.get_object("org.freedesktop.secrets", path), PREFIX + "Collection").Delete()
elif command == "lock":
    service.Lock([service.ReadAlias("default")])
elif command == "paths":
    unlocked, locked = search({})
    print(json.dumps({"paths": [str(path) for path in unlocked + locked]}))
    sys.exit()
elif command == "count":
    path = service.ReadAlias("default")
    get = dbus.Interface(bus.get_object("org.freedesktop.secrets", path), "org.freedesktop.DBus.Properties").Get
    print(json.dumps({"count": len(get(PREFIX + "Collection", "Items"))}))
    sys.exit()
print(json.dumps(dump(sys.argv[2:]) if command == "dump" else {}))
