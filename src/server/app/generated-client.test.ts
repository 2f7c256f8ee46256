import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { generateApi } from 'swagger-typescript-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** An example program that uses a client generated from `openapi.json` by a public generator. */
const PROGRAM = `import { Api, type PublicAppointment, type Slot } from './client.ts'

/** Books the first time of a day and reads the appointment. */
export async function bookFirst(baseUrl: string, slug: string, date: string): Promise<PublicAppointment> {
  const { api } = new Api({ baseUrl })
  const { data } = await api.getPublicAvailableTimeSlotsWithGoogle(slug, { date })
  const first: Slot | undefined = data.slots[0]
  if (first === undefined) throw new Error('no time is free')
  const customer = { name: 'Grace Hopper', email: 'grace@example.com' }
  const booked = await api.createAppointment(slug, { starts_at: first.starts_at, customer })
  const read = await api.getPublicAppointmentDetails(booked.data.id)
  return read.data
}

/** The type of error.code contains only the error codes of this operation. */
export async function findRefusal(baseUrl: string, slug: string): Promise<string> {
  const { api } = new Api({ baseUrl })
  type Answer = Awaited<ReturnType<typeof api.getPublicCalendarBySlug>>
  const { error } = await api.getPublicCalendarBySlug(slug).catch((refused: Answer) => refused)
  // @ts-expect-error: this error code belongs to another operation
  if (error.code === 'booking.slot_unavailable') return 'impossible'
  return error.code
}
`
const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'ES2024',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  module: 'preserve',
  allowImportingTsExtensions: true,
  types: [],
}

let folder: string
setUpMeridian()
beforeAll(async () => {
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'meridian-client-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('a client that a public generator makes of the document compiles, and books an appointment', {
  tags: ['slow'],
}, async () => {
  await generateApi({
    input: join(ROOT, 'openapi.json'),
    output: folder,
    fileName: 'client.ts',
    silent: true,
    cleanOutput: false,
  })
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['program.ts'] }),
  )
  const compile = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder])
  expect(await compile.catch(({ stdout }: { stdout: string }) => stdout)).toMatchObject({ stdout: '' })

  const { slug } = await makeCalendar(meridian, await makeOwner(meridian))
  const address = meridian.app.listeningOrigin
  const { bookFirst, findRefusal } = await import(pathToFileURL(join(folder, 'program.ts')).href)
  expect(await bookFirst(address, slug, '2027-01-05')).toMatchObject({
    status: 'confirmed',
    calendar_slug: slug,
    starts_at: '2027-01-05T09:00:00.000Z',
  })
  expect(await findRefusal(address, 'nobody-has-this')).toBe('calendar.not_found')
})
