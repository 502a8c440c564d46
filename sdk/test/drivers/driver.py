"""Runs calls of the installed client: a JSON object a line in, a JSON object a line out."""

import base64
import dataclasses
import json
import sys
import threading

from zhiber import WebhookError, Zhiber, ZhiberError, verify_webhook

OUTPUT = threading.Lock()
FIELDS = (
    "code status retry_after request_id attempts_left errors required balance message_id docs_url"
)


def run(client=None, operation=None, request=None, webhook=None):
    if webhook is not None:
        event = verify_webhook(
            base64.b64decode(webhook["body"]),
            webhook["headers"],
            webhook["secret"],
            tolerance_seconds=webhook["tolerance_seconds"],
        )
        return dataclasses.asdict(event)
    zhiber = Zhiber(**client)
    return dataclasses.asdict(getattr(zhiber, operation)(**(request or {})))


def describe(error):
    told = {"class": type(error).__name__, "message": str(error)}
    if isinstance(error, ZhiberError):
        return {**told, **{name: getattr(error, name) for name in FIELDS.split()}}
    return {**told, "code": error.code} if isinstance(error, WebhookError) else told


def answer(id, **task):
    try:
        told = {"id": id, "result": run(**task)}
    except Exception as error:
        told = {"id": id, "error": describe(error)}
    with OUTPUT:
        print(json.dumps(told), flush=True)


for line in sys.stdin:
    threading.Thread(target=answer, kwargs=json.loads(line)).start()
