import fastify from 'fastify'
import type { SlotCountsPerDay, SlotsResponse } from '#contract/slots/slots.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { getBusyTimeWindow } from '#core/slots/open-slots.ts'
import { SLOT_INPUTS_SQL } from '#server/records/slots/times-repository.ts'
import { readStoredResponses } from './answers.ts'
import { openBaselinePool } from './floor-pool.ts'

/**
 * The floor for available times: a bare route that runs one prepared query for the underlying rows, and sends the same bytes as
 * Meridian, taken from its stored responses.
 */
const pool = await openBaselinePool()
const answers = await readStoredResponses()
const app = fastify()

type Request = {
  Params: { slug: string }
  Querystring: { date?: string; from?: string; to?: string; appointment_type_id: string }
}

app.get<Request>('/api/public/calendars/:slug/slots', async ({ params, query, url }, reply) => {
  await ask(params.slug, query.appointment_type_id, query.date ?? '', 1)
  return reply.type('application/json; charset=utf-8').send(writeSlots(answers.get(url) as SlotsResponse))
})

app.get<Request>('/api/public/calendars/:slug/days', async ({ params, query, url }, reply) => {
  const { from = '', to = '' } = query
  await ask(params.slug, query.appointment_type_id, from, toDayNumber(to) - toDayNumber(from) + 1)
  return reply.type('application/json; charset=utf-8').send(writeDays(answers.get(url) as SlotCountsPerDay))
})

app.get('/readyz', async () => 'ready')
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

async function ask(slug: string, typeId: string, firstDate: string, dayCount: number): Promise<void> {
  const { startMs, endMs } = getBusyTimeWindow({ firstDate, dayCount })
  const values = [slug, typeId, new Date(startMs), new Date(endMs), new Date()]
  const { rows } = await pool.query({ name: 'rows', text: SLOT_INPUTS_SQL, values })
  if (rows.length !== 1) throw new Error('no such calendar')
}

function writeSlots({ date, time_zone, slots }: SlotsResponse): string {
  let list = ''
  for (const { slot_start, slot_end, starts_at, ends_at } of slots) {
    if (list !== '') list += ','
    list += `{"slot_start":"${slot_start}","slot_end":"${slot_end}","starts_at":"${starts_at}","ends_at":"${ends_at}"}`
  }
  return `{"date":"${date}","time_zone":"${time_zone}","slots":[${list}]}`
}

function writeDays({ time_zone, days }: SlotCountsPerDay): string {
  let list = ''
  for (const { date, open_slots } of days) {
    if (list !== '') list += ','
    list += `{"date":"${date}","open_slots":${open_slots}}`
  }
  return `{"time_zone":"${time_zone}","days":[${list}]}`
}
