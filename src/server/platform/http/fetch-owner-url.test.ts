import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { buildOwnerUrlFetcher } from './fetch-owner-url.ts'
import { toAllowedNetworks } from './reachable-networks.ts'

/** Limits that are generous for a busy machine; tests of slow servers have their own limit. */
const LIMITS = { timeoutMs: 20_000, maxBytes: 100_000 }
/** Allows only the address on which the servers of these tests listen. */
const SERVER_ONLY = toAllowedNetworks(['127.0.0.1'])
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

describe('an address that does not lead into the internet', () => {
  test.each([
    ['http://127.0.0.1/', 'loopback'],
    ['http://localhost:3000/', 'loopback, by name'],
    ['http://127.1/', 'loopback, in short'],
    ['http://2130706433/', 'loopback, as one number'],
    ['http://0x7f000001/', 'loopback, in hexadecimal'],
    ['http://0177.0.0.1/', 'loopback, in octal'],
    ['http://0/', 'this machine'],
    ['http://169.254.169.254/latest/meta-data/', 'metadata of a cloud'],
    ['http://2852039166/', 'metadata, as one number'],
    ['http://10.0.0.1/', 'a private network'],
    ['http://100.64.0.1/', 'the network of a carrier'],
    ['http://[::1]/', 'loopback in IPv6'],
    ['http://[::ffff:127.0.0.1]/', 'loopback, mapped'],
    ['http://[::ffff:a9fe:a9fe]/', 'metadata, mapped'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'metadata through NAT64'],
    ['http://[2002:a9fe:a9fe::]/', 'metadata through 6to4'],
    ['http://[fe80::1]/', 'link-local'],
    ['http://[fd00:ec2::254]/', 'metadata in IPv6'],
  ])('%s (%s) is refused', async (url) => {
    const fetchAddress = buildOwnerUrlFetcher({ allowedNetworks: [] })
    await expect(fetchAddress(url, LIMITS)).rejects.toMatchObject({ problem: 'private' })
  })

  test.each(['10.0.0.1', '169.254.169.254', '::ffff:10.0.0.1'])(
    'a name for %s is refused',
    async (address) => {
      const fetchAddress = buildOwnerUrlFetcher({
        allowedNetworks: [],
        resolve: async () => [toAnswer(address)],
      })
      await expect(fetchAddress('https://calendar.example/', LIMITS)).rejects.toMatchObject({
        problem: 'private',
      })
    },
  )

  test('a name with one public and one private address is refused', async () => {
    const resolve = async () => [toAnswer('93.184.216.34'), toAnswer('10.0.0.1')]
    const fetchAddress = buildOwnerUrlFetcher({ allowedNetworks: [], resolve })
    await expect(fetchAddress('https://calendar.example/', LIMITS)).rejects.toMatchObject({
      problem: 'private',
    })
  })

  test('a second DNS answer leads nowhere else: each connection goes to the address that was checked', async () => {
    const { port } = await serve((_request, answer) => answer.setHeader('connection', 'close').end('here'))
    const answers = ['127.0.0.1', '10.0.0.1']
    const asked: string[] = []
    const fetchAddress = buildOwnerUrlFetcher({
      allowedNetworks: SERVER_ONLY,
      resolve: async (name) => {
        asked.push(name)
        return [toAnswer(answers.shift() ?? '10.0.0.1')]
      },
    })
    const url = `http://calendar.example:${port}/`
    expect(await (await fetchAddress(url, LIMITS)).text()).toBe('here')
    expect(asked).toEqual(['calendar.example'])
    await expect(fetchAddress(url, LIMITS)).rejects.toMatchObject({ problem: 'private' })
    expect(asked).toHaveLength(2)
  })

  test.each([
    'http://127.0.0.2/',
    'http://169.254.169.254/',
    'http://[::1]:1234/',
    'http://[::ffff:a9fe:a9fe]/',
    '//10.0.0.1/',
  ])('a redirect to %s is refused', async (location) => {
    const { url } = await serve((_request, answer) => redirect(answer, location))
    await expect(fetchInTest(url)).rejects.toMatchObject({ problem: 'private' })
  })

  test.each(['file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org/', 'calendar', '', 'http://'])(
    '%s is no address for us, and neither is a redirect to it',
    async (address) => {
      await expect(fetchInTest(address)).rejects.toMatchObject({ problem: 'invalid' })
      if (!address.includes(':/')) return
      const { url } = await serve((_request, answer) => redirect(answer, address))
      await expect(fetchInTest(url)).rejects.toMatchObject({ problem: 'invalid' })
    },
  )

  test.each([22, 25, 110])('port %i belongs to another protocol', async (port) => {
    await expect(fetchInTest(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ problem: 'invalid' })
  })
})

describe('redirects', () => {
  test('are followed, and the answer of the last one counts', async () => {
    const { url } = await serve((request, answer) =>
      request.url === '/' ? redirect(answer, '/next', 301) : answer.end(`${request.method} ${request.url}`),
    )
    expect(await (await fetchInTest(url, { method: 'PROPFIND', body: '<x/>' })).text()).toBe('PROPFIND /next')
  })

  test('without an end are given up', async () => {
    let count = 0
    const { url } = await serve((_request, answer) => {
      count += 1
      redirect(answer, `/${count}`)
    })
    await expect(fetchInTest(url)).rejects.toMatchObject({ problem: 'unreachable' })
    expect(count).toBe(6)
  })

  test('keep the password with the server that it is for', async () => {
    const seen: (string | undefined)[] = []
    const remember: RequestListener = (request, answer) => {
      seen.push(request.headers.authorization)
      answer.end()
    }
    const other = await serve(remember)
    const { url } = await serve((request, answer) => {
      if (request.url === '/away') return redirect(answer, other.url)
      if (request.url === '/here') return redirect(answer, '/there')
      remember(request, answer)
    })
    const headers = { Authorization: 'Basic c2VjcmV0' }
    await fetchInTest(`${url}here`, { headers })
    await fetchInTest(`${url}away`, { headers })
    expect(seen).toEqual(['Basic c2VjcmV0', undefined])
  })

  test('are the answer itself for who asks for that', async () => {
    const { url } = await serve((_request, answer) => redirect(answer, 'http://10.0.0.1/', 308))
    const answer = await fetchInTest(url, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'http://10.0.0.1/'])
  })
})

describe('a password', () => {
  test('is not sent without encryption', async () => {
    const fetchAddress = buildOwnerUrlFetcher({
      allowedNetworks: [],
      resolve: async () => [toAnswer('93.184.216.34')],
    })
    const request = { ...LIMITS, headers: { authorization: 'Basic c2VjcmV0' } }
    await expect(fetchAddress('http://calendar.example/', request)).rejects.toMatchObject({
      problem: 'unencrypted',
    })
  })

  test('in the address is taken out of it', async () => {
    const { port } = await serve((request, answer) => answer.end(request.headers.authorization ?? 'none'))
    expect(await (await fetchInTest(`http://ada:secret@127.0.0.1:${port}/`)).text()).toBe('none')
  })
})

describe('a server that behaves badly', () => {
  test('a body that never ends is cut off at the limit', async () => {
    const { url } = await serve(async (_request, answer) => {
      answer.on('error', () => {})
      while (!answer.destroyed) {
        answer.write(Buffer.alloc(16_384))
        await sleep(1)
      }
    })
    await expect(fetchInTest(url)).rejects.toMatchObject({ problem: 'too_large' })
  })

  test('a small file that unpacks to a huge one is cut off at the limit', async () => {
    let sent = 0
    const { url } = await serve((_request, answer) => {
      answer.setHeader('content-encoding', 'gzip')
      const gzip = createGzip()
      gzip.on('data', (part: Buffer) => {
        sent += part.byteLength
      })
      gzip.pipe(answer)
      gzip.end(Buffer.alloc(200_000_000))
    })
    await expect(fetchInTest(url)).rejects.toMatchObject({ problem: 'too_large' })
    expect(sent).toBeLessThan(1_000_000)
  })

  test('a compressed answer is read, and its headers describe what was read', async () => {
    const { url } = await serve((_request, answer) =>
      answer.setHeader('content-encoding', 'gzip').end(gzipSync('BEGIN:VCALENDAR')),
    )
    const answer = await fetchInTest(url)
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(await answer.text()).toBe('BEGIN:VCALENDAR')
  })

  test('a body that trickles is given up after the time for everything', async () => {
    const { url } = await serve(async (_request, answer) => {
      answer.on('error', () => {})
      while (!answer.destroyed) {
        answer.write('.')
        await sleep(20)
      }
    })
    await expect(fetchInTest(url, { timeoutMs: 200 })).rejects.toMatchObject({ problem: 'too_slow' })
  })

  test('a server that says nothing is given up', async () => {
    const { url } = await serve(() => {})
    await expect(fetchInTest(url, { timeoutMs: 200 })).rejects.toMatchObject({ problem: 'too_slow' })
  })

  test('who asks can stop waiting earlier', async () => {
    const { url } = await serve(() => {})
    const signal = AbortSignal.timeout(50)
    await expect(fetchInTest(url, { signal })).rejects.toMatchObject({ problem: 'too_slow' })
  })

  test('a server that is dead or breaks off could not be reached', async () => {
    const { url, stop } = await serve((_request, answer) => answer.destroy())
    await expect(fetchInTest(url)).rejects.toMatchObject({ problem: 'unreachable' })
    await stop()
    await expect(fetchInTest(url)).rejects.toMatchObject({ problem: 'unreachable' })
  })
})

function fetchInTest(url: string, request: object = {}): Promise<Response> {
  return buildOwnerUrlFetcher({ allowedNetworks: SERVER_ONLY })(url, { ...LIMITS, ...request })
}

function redirect(answer: ServerResponse, location: string, status = 302): void {
  answer.writeHead(status, { location }).end()
}

function toAnswer(address: string) {
  return { address, family: address.includes(':') ? 6 : 4 }
}

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  stops.push(stop)
  return { port, url: `http://127.0.0.1:${port}/`, stop }
}
