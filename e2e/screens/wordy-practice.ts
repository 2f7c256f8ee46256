import type { BrowserContext } from '@playwright/test'
import type { Calendar } from '#contract/calendars.ts'
import { LIMITS } from '#contract/limits.ts'
import {
  book,
  createCalendar,
  createType,
  makePerson,
  nextTuesday,
  post,
  signUp,
} from '#e2e/support/people.ts'

/** As long as a name may be, without a place where a line could end. */
const UNBROKEN = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  .repeat(2)
  .slice(0, LIMITS.typeName)
const WORDS = 'Rechtsschutzversicherungsgesellschaften und Kraftfahrzeughaftpflichtversicherung besprechen'

/** A practice in which every name is as long as it may be, for screens that must not scroll sideways. */
export async function prepareWordy(
  context: BrowserContext,
): Promise<{ context: BrowserContext; calendar: Calendar; appointmentId: string }> {
  const page = await context.newPage()
  await signUp(page, { ...makePerson('Ulrike'), name: UNBROKEN.slice(0, LIMITS.personName) })
  const calendar = await createCalendar(page, {
    name: UNBROKEN.slice(0, LIMITS.calendarName),
    slug: 'donaudampfschifffahrtselektrizitaetenhauptbetriebswerk',
    category: UNBROKEN.slice(0, LIMITS.category),
    description: `${UNBROKEN} ${WORDS}. `.repeat(3),
  })
  await post(context.request, `/api/calendars/${calendar.id}/locations`, {
    name: UNBROKEN.slice(0, LIMITS.locationName),
    address: `${UNBROKEN} ${WORDS}`.slice(0, LIMITS.locationAddress),
  })
  const { id: typeId } = await createType(page, calendar, {
    name: UNBROKEN,
    duration: 120,
    description: `${WORDS} ${UNBROKEN}`,
  })
  await createType(page, calendar, { name: WORDS, duration: 480 })
  const { id } = await book(context.request, calendar, {
    startsAt: `${nextTuesday()}T09:00:00Z`,
    person: { ...makePerson('ulrike'), name: UNBROKEN.slice(0, LIMITS.personName) },
    typeId,
    notes: `${UNBROKEN}\n${WORDS}`,
  })
  return { context, calendar, appointmentId: id }
}
