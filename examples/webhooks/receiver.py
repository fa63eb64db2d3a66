"""Takes webhooks of Meridian: WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py"""
import base64, hmac, http.server, json, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
taken = set()  # Keep it in your database: an event may come more than once.


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 15  # seconds without a byte

    def do_POST(self):
        length = int(self.headers.get("content-length", -1))
        self.send_response(self.take(self.rfile.read(length)) if 0 <= length <= 65_536 else 413)
        self.end_headers()

    def take(self, body):
        event, at, given = (self.headers.get(f"webhook-{part}", "") for part in ("id", "timestamp", "signature"))
        wanted = b"v1," + base64.b64encode(hmac.digest(KEY, f"{event}.{at}.".encode() + body, "sha256"))
        is_signed = any(hmac.compare_digest(wanted, signature.encode()) for signature in given.split(" "))
        if not is_signed or abs(time.time() - int(at)) > 300: return 401
        if event not in taken:  # Do what it asks for, or put it into a queue.
            print(event, json.loads(body)["type"], flush=True)
        taken.add(event)
        return 204


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print("port", server.server_port, flush=True)
server.serve_forever()
