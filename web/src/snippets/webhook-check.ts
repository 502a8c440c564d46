import type { CodeForm } from './snippets.ts';

/** Where the receivers listen, and where the signed request of curl goes. */
export const RECEIVER_PORT = 8080;

/**
 * A receiver of webhooks that checks their signature as the Standard Webhooks specification says,
 * with nothing but the standard library: over the raw body, no older than five minutes, in constant
 * time, and by any of the signatures. For curl, a signed request that such a receiver accepts. The
 * secret of the endpoint is in `ZHIBER_WEBHOOK_SECRET`.
 */
export function printWebhookCheck(form: CodeForm, port: number = RECEIVER_PORT): string {
  return PRINTERS[form](port);
}

const PRINTERS = {
  curl,
  node,
  python,
  php,
  go,
  csharp,
  'php-streams': php,
} as const satisfies Record<CodeForm, (port: number) => string>;

function curl(port: number): string {
  return `id=msg_1
timestamp=$(date +%s)
body='{"type":"test.ping","timestamp":"2026-11-15T04:30:00.000Z","data":{}}'
key=$(printf %s "\${ZHIBER_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$timestamp.$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)

curl http://localhost:${port} \\
  --max-time 15 \\
  -H "Content-Type: application/json" \\
  -H "webhook-id: $id" \\
  -H "webhook-timestamp: $timestamp" \\
  -H "webhook-signature: v1,$signature" \\
  -d "$body"`;
}

function node(port: number): string {
  return `import { createHmac, timingSafeEqual } from ${nodeModule('crypto')};
import { createServer } from ${nodeModule('http')};

const secret = Buffer.from(process.env.ZHIBER_WEBHOOK_SECRET.replace("whsec_", ""), "base64");

function isGenuine(headers, body) {
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= 300)) return false;
  const expected = createHmac("sha256", secret)
    .update(\`\${headers["webhook-id"]}.\${timestamp}.\`)
    .update(body)
    .digest();
  return String(headers["webhook-signature"]).split(" ").some((signature) => {
    const [version, value = ""] = signature.split(",");
    const given = Buffer.from(value, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request));
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  console.log(event.type, event.data);
  response.writeHead(204).end();
}).listen(${port});`;
}

/** Put together, because this file itself must import nothing that browsers lack. */
function nodeModule(name: string): string {
  return `"node:${name}"`;
}

function python(port: number): string {
  return `import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["ZHIBER_WEBHOOK_SECRET"].replace("whsec_", ""))


def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    digest = hmac.new(secret, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(expected, given) for given in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            event = json.loads(body)
            print(event["type"], event["data"], flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()


HTTPServer(("localhost", ${port}), Receiver).serve_forever()`;
}

function php(port: number): string {
  return `<?php
// php -S localhost:${port} webhook.php
$secret = base64_decode(str_replace('whsec_', '', getenv('ZHIBER_WEBHOOK_SECRET')));
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
$body = file_get_contents('php://input');

$digest = hash_hmac('sha256', "$id.$timestamp.$body", $secret, true);
$expected = 'v1,' . base64_encode($digest);
$isGenuine = false;
foreach (explode(' ', $signatures) as $given) {
    $isGenuine = hash_equals($expected, $given) || $isGenuine;
}
if (!$isGenuine || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}

$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
error_log($event['type']);
http_response_code(204);`;
}

function go(port: number): string {
  return `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func isGenuine(header http.Header, body, secret []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	text := strings.TrimPrefix(os.Getenv("ZHIBER_WEBHOOK_SECRET"), "whsec_")
	secret, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || !isGenuine(request.Header, body, secret) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event struct {
			Type string          \`json:"type"\`
			Data json.RawMessage \`json:"data"\`
		}
		if err := json.Unmarshal(body, &event); err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Println(event.Type, string(event.Data))
		response.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("localhost:${port}", nil))
}`;
}

function csharp(port: number): string {
  return `using System;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;

class Program
{
    static bool IsGenuine(NameValueCollection headers, byte[] body, byte[] secret)
    {
        var timestamp = headers["webhook-timestamp"];
        long seconds;
        if (!long.TryParse(timestamp, out seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
        var start = Encoding.UTF8.GetBytes(headers["webhook-id"] + "." + timestamp + ".");
        byte[] digest;
        using (var mac = new HMACSHA256(secret)) digest = mac.ComputeHash(start.Concat(body).ToArray());
        var expected = Encoding.ASCII.GetBytes("v1," + Convert.ToBase64String(digest));
        return (headers["webhook-signature"] ?? "").Split(' ')
            .Any(given => AreEqual(Encoding.ASCII.GetBytes(given), expected));
    }

    // Takes the same time wherever the first difference is.
    static bool AreEqual(byte[] given, byte[] expected)
    {
        var difference = given.Length ^ expected.Length;
        for (var i = 0; i < given.Length && i < expected.Length; i++) difference |= given[i] ^ expected[i];
        return difference == 0;
    }

    static void Main()
    {
        var text = Environment.GetEnvironmentVariable("ZHIBER_WEBHOOK_SECRET");
        var secret = Convert.FromBase64String(text.Replace("whsec_", ""));
        var listener = new HttpListener();
        listener.Prefixes.Add("http://localhost:${port}/");
        listener.Start();
        while (true)
        {
            var context = listener.GetContext();
            var body = new MemoryStream();
            context.Request.InputStream.CopyTo(body);
            var isGenuine = IsGenuine(context.Request.Headers, body.ToArray(), secret);
            if (isGenuine) Console.WriteLine(Encoding.UTF8.GetString(body.ToArray()));
            context.Response.StatusCode = isGenuine ? 204 : 401;
            context.Response.Close();
        }
    }
}`;
}
