"""Takes webhooks of Meridian: WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py"""
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
taken = set()  # Keep it in your database: an event may come more than once.


def is_genuine(headers, body):
    event, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    digest = hmac.new(KEY, f"{event}.{at}.".encode() + body, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").split(" ")
    is_signed = any(hmac.compare_digest(wanted, signature.encode()) for signature in given)
    return is_signed and abs(time.time() - int(at)) <= 300


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # seconds without a byte

    def do_POST(self):
        length = int(self.headers.get("content-length", -1))
        if not 0 <= length <= 65_536:
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            return self.answer(401)
        event = self.headers["webhook-id"]
        if event not in taken:  # Do what it asks for, or put it into a queue.
            print(event, json.loads(body)["type"], flush=True)
        taken.add(event)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print("port", server.server_port, flush=True)
server.serve_forever()
