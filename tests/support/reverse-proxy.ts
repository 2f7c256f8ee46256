import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'

/** nginx on loopback in front of web processes. */
export type ReverseProxy = { readonly url: string; readonly stop: () => Promise<void> }

/** Debian installs nginx in a folder that is not in everybody's PATH. */
const PROGRAM = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx'
const START_TIMEOUT_MS = 30_000

/**
 * Starts nginx in front of the processes on these ports. nginx does not resend a POST to another process when the first one dies
 * (its own rule); the client decides about that, with the same Idempotency-Key.
 */
export async function startReverseProxy(ports: readonly number[]): Promise<ReverseProxy> {
  return startNginx((folder, port) => toConfig(folder, port, toBalancer(ports)))
}

/** Starts nginx with a bare `proxy_pass`. It replaces the client's Host header with the process's address. */
export async function startPlainProxy(upstreamPort: number): Promise<ReverseProxy> {
  return startNginx((folder, port) =>
    toConfig(folder, port, { upstream: '', location: `proxy_pass http://127.0.0.1:${upstreamPort};` }),
  )
}

async function startNginx(configOf: (folder: string, port: number) => string): Promise<ReverseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-proxy-'))
  const port = await findFreePort()
  await writeFile(join(folder, 'nginx.conf'), configOf(folder, port))
  const child = spawn(PROGRAM, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-10_000)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.once('error', (error) => {
    output += error.message
  })
  const endWithProcess = () => child.kill('SIGTERM')
  process.on('exit', endWithProcess)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(child, url, () => output)
  return {
    url,
    async stop() {
      process.off('exit', endWithProcess)
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

type Forwarding = { readonly upstream: string; readonly location: string }

function toBalancer(ports: readonly number[]): Forwarding {
  return {
    upstream: `upstream meridian {
    ${ports.map((upstream) => `server 127.0.0.1:${upstream} max_fails=1 fail_timeout=2s;`).join('\n    ')}
    keepalive 16;
  }`,
    location: `proxy_pass http://meridian;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto https;
      proxy_connect_timeout 1s;
      proxy_next_upstream error timeout;`,
  }
}

function toConfig(folder: string, port: number, { upstream, location }: Forwarding): string {
  return `daemon off;
pid ${folder}/pid;
error_log stderr error;
worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${upstream}
  server {
    listen 127.0.0.1:${port};
    location / {
      ${location}
    }
  }
}
`
}

async function waitUntilReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  for (const endMs = performance.now() + START_TIMEOUT_MS; ; ) {
    // Any response shows that nginx is listening.
    if (await fetch(`${url}/healthz`).then(Boolean, () => false)) return
    if (child.exitCode !== null || performance.now() > endMs) {
      child.kill('SIGKILL')
      throw new Error(`nginx did not start (Debian: apt-get install nginx-light):\n${output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
