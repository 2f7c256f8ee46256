import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCaddy } from './find-caddy.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 30_000

/** Caddy on loopback, with Meridian's Caddyfile and with certificates that it issues itself. */
export type Caddy = {
  /** Returns the root certificate that signs Caddy's certificates, as PEM. It exists once Caddy has started. */
  readonly authority: () => Promise<string>
  /** True when Caddy already has a certificate for this host. */
  readonly hasCertificate: (host: string) => boolean
  readonly stop: () => Promise<void>
}

export type CaddyPorts = {
  readonly https: number
  readonly http: number
  /** Ports of Meridian: `product` serves pages, and `ask` tells Caddy which hosts may get a certificate. */
  readonly product: number
  readonly ask: number
}

/** Returns the errors that `caddy validate` finds in Meridian's Caddyfile; empty when it is valid. */
export function checkCaddyfile(): string {
  const { status, stderr } = spawnSync(
    findCaddy(),
    ['validate', '--adapter', 'caddyfile', '--config', join(ROOT, 'Caddyfile')],
    { env: { ...process.env, DOMAIN: 'book.example.org' }, encoding: 'utf8' },
  )
  return status === 0 ? '' : stderr
}

export async function startCaddy(ports: CaddyPorts): Promise<Caddy> {
  const program = findCaddy()
  const folder = await mkdtemp(join(tmpdir(), 'meridian-caddy-'))
  const config = join(folder, 'Caddyfile')
  await writeFile(config, toLocal(await readFile(join(ROOT, 'Caddyfile'), 'utf8'), ports, folder))
  const child = spawn(program, ['run', '--adapter', 'caddyfile', '--config', config], {
    env: {
      ...process.env,
      HOME: folder,
      DOMAIN: `localhost:${ports.https}`,
      ASK: `http://127.0.0.1:${ports.ask}/ask`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-20_000)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const endWithProcess = () => child.kill('SIGKILL')
  process.on('exit', endWithProcess)
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    process.off('exit', endWithProcess)
    await rm(folder, { recursive: true, force: true })
  }
  const hasCertificate = (host: string) =>
    existsSync(join(folder, 'certificates', 'local', host, `${host}.crt`))
  const authority = () => readFile(join(folder, 'pki/authorities/local/root.crt'), 'utf8')
  for (const endMs = Date.now() + START_TIMEOUT_MS; ; await sleep(50)) {
    if (await isListening(ports.https)) return { authority, hasCertificate, stop }
    if (child.exitCode !== null || Date.now() > endMs) {
      await stop()
      throw new Error(`Caddy did not start:\n${output}`)
    }
  }
}

/**
 * Adapts Meridian's Caddyfile to a single machine: other ports, a local certificate authority instead of a public one, and one
 * process instead of the compose file's. Removes the forwarding headers, because a development server does not accept them.
 */
function toLocal(file: string, { https, http, product }: CaddyPorts, folder: string): string {
  const [, upstreams = ''] = /(\t\tdynamic a web 3000 \{[^}]*\})/.exec(file) ?? []
  if (upstreams === '') throw new Error('The Caddyfile names its processes in another way than this expects.')
  const silent = ['For', 'Proto', 'Host'].map((name) => `\t\theader_up -X-Forwarded-${name}`)
  return file
    .replace(upstreams, [`\t\tto 127.0.0.1:${product}`, ...silent].join('\n'))
    .replace(
      '{\n',
      `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n\tstorage file_system ${folder}\n`,
    )
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
