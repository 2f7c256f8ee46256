import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCalendar, makeOwner, type TestMeridian, type TestOwner } from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { queryNumber } from '#tests/support/race-track.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian)
  })
  afterAll(() => meridian.stop())

  test('while windows order, add and delete types at once, every type has a position of its own', async () => {
    const { id } = await makeCalendar(meridian, owner)
    const url = `/api/calendars/${id}/appointment-types`
    const ids: string[] = []
    for (let i = 0; i < 6; i += 1) ids.push(await addAppointmentType(meridian, id, { name: `Type ${i}` }))
    const reversed = ids.toReversed()
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => owner.put(`${url}/order`, { appointment_type_ids: ids })),
      ...Array.from({ length: 4 }, () => owner.put(`${url}/order`, { appointment_type_ids: reversed })),
      ...Array.from({ length: 4 }, (_, i) => owner.post(url, { name: `New ${i}` })),
      ...ids.slice(4).map((typeId) => owner.delete(`${url}/${typeId}`)),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([
      ...Array(8).fill(204),
      ...Array(4).fill(201),
      ...Array(2).fill(204),
    ])
    const positions = 'select count(distinct position) from appointment_types where calendar_id = $1'
    expect(await queryNumber(meridian.database, positions, [id])).toBe(8)
    const { appointment_types } = (await owner.get(url)).json()
    const kept = appointment_types.map((type: { id: string }) => type.id).slice(0, 4)
    const first = ids.slice(0, 4)
    expect([first, first.toReversed()]).toContainEqual(kept)
  })
})
