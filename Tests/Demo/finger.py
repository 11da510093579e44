#!/usr/bin/python3
"""A finger for libfprint's virtual reader, which tells fingers apart by a name.

touch SOCKET NAME          touches the reader as soon as a program listens to it
enroll SOCKET FINGER NAME  enrolls NAME's finger for root on the bus DBUS_SYSTEM_BUS_ADDRESS names
"""

import os
import socket
import sys
import time

FPRINTD = "net.reactivated.Fprint"


def connect(path, limit):
    """The reader listens only while a program has claimed it."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except OSError:
            connection.close()
            time.sleep(0.02)
    sys.exit("finger: no program asked for a touch")


def scan(path, name, limit=30.0, pause=0.0):
    with connect(path, limit) as connection:
        time.sleep(pause)
        connection.sendall(b"SCAN " + name.encode())
        connection.shutdown(socket.SHUT_WR)
        connection.recv(64)


def touch(path, name):
    # A match in the first quarter of a second would be taken for a finger that was resting there.
    scan(path, name, pause=0.5)


def enroll(path, finger, name):
    import dbus

    try:
        enroll_by(dbus, path, finger, name)
    except dbus.exceptions.DBusException as error:
        sys.exit(f"finger: {finger} is not enrolled: {error.get_dbus_message()}")


def enroll_by(dbus, path, finger, name):
    import dbus.mainloop.glib
    from gi.repository import GLib

    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    manager = bus.get_object(FPRINTD, "/net/reactivated/Fprint/Manager")
    device_path = manager.GetDefaultDevice(dbus_interface=FPRINTD + ".Manager")
    device = dbus.Interface(bus.get_object(FPRINTD, device_path), FPRINTD + ".Device")
    loop = GLib.MainLoop()
    results = []

    def on_status(result, done):
        if done:
            results.append(str(result))
            loop.quit()
        else:
            scan(path, name, 5.0)

    bus.add_signal_receiver(on_status, "EnrollStatus", FPRINTD + ".Device", None, device_path)
    device.Claim("root")
    try:
        device.EnrollStart(finger)
        scan(path, name, 5.0)
        GLib.timeout_add_seconds(10, loop.quit)
        loop.run()
        device.EnrollStop()
    finally:
        device.Release()
    if results != ["enroll-completed"]:
        sys.exit(f"finger: not enrolled: {results}")


if __name__ == "__main__":
    commands = {("touch", 2): touch, ("enroll", 3): enroll}
    command = commands.get((sys.argv[1] if len(sys.argv) > 1 else "", len(sys.argv) - 2))
    if command is None:
        sys.exit(__doc__)
    command(*sys.argv[2:])
