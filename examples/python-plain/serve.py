"""Start: ZHIBER_KEY=zk_test_… ZHIBER_URL=http://localhost:3000/api python3 serve.py"""

import os
from http import HTTPStatus
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from session import Request, Response
from views import URLS


def application(environ, start_response):
    request = Request.from_environ(environ)
    view = URLS.get((request.method, request.path))
    response = view(request) if view else Response("Нет такой страницы", 404, request.session)
    start_response(f"{response.status} {HTTPStatus(response.status).phrase}", response.headers())
    return [response.body.encode("utf-8")]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8000"))
    server = make_server("127.0.0.1", port, application, Server, QuietHandler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
