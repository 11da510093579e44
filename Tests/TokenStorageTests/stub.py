#!/usr/bin/python3
"""A server of one account: POST /login and /refresh give tokens, GET /me wants the current one. Each
request is a line of the log. /expire ends the access token, /revoke the refresh token, too."""
import http.server
import json
import os
import sys

state = {"access": None, "refresh": None, "number": 0}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def note(self):
        with open(sys.argv[2], "a") as log:
            log.write("%s %s\n" % (self.path, self.headers.get("Authorization", "-")))

    def reply(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def tokens(self):
        state["number"] += 1
        state["access"] = "access%d" % state["number"]
        state["refresh"] = "refresh%d" % state["number"]
        self.reply(200, json.dumps({k: state[k] for k in ("access", "refresh")}))

    def do_POST(self):
        self.note()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/login" and body == {"name": "alice", "password": "wonderland"}:
            self.tokens()
        elif self.path == "/refresh" and body["refresh"] == state["refresh"] is not None:
            self.tokens()
        else:
            self.reply(401, "")

    def do_GET(self):
        if self.path == "/expire":
            state["access"] = None
            return self.reply(200, "")
        if self.path == "/revoke":
            state["access"] = state["refresh"] = None
            return self.reply(200, "")
        self.note()
        if state["access"] and self.headers.get("Authorization") == "Bearer " + state["access"]:
            self.reply(200, "hello alice")
        else:
            self.reply(401, "")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + ".new", "w") as port:
    port.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
