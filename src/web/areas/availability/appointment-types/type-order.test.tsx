// @vitest-environment happy-dom

import { useQueryClient } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { LIMITS } from '#contract/shared/limits.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import {
  CALENDAR_ID,
  makeAppointmentType,
  makeCalendar,
  makeCalendarLocation,
} from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentTypesPanel } from './appointment-types-panel.tsx'

const CALENDAR = makeCalendar()
const TYPES = `/api/calendars/${CALENDAR_ID}/appointment-types`
const LIST = `GET ${TYPES}`
const ORDER = `PUT ${TYPES}/order`
const [TALK, COUPLE, YOGA] = ['Talk', 'Couple session', 'Yoga'].map((name, index) =>
  makeAppointmentType({ id: `00000000-0000-4000-8000-00000000070${index}`, name }),
) as [Type, Type, Type]
type Type = ReturnType<typeof makeAppointmentType>
type User = ReturnType<typeof renderComponent>['user']

describe('by keyboard', () => {
  test('the arrow keys move a type, say its new place, keep the focus, and save the order', async () => {
    const { user, api } = await renderTypes([TALK, COUPLE, YOGA])
    moveButton('Talk').focus()
    await user.keyboard('{ArrowDown}')
    expect(listNames()).toEqual(['Couple session', 'Talk', 'Yoga'])
    expect(screen.getByText('Moved Talk to 2 of 3').getAttribute('role')).toBe('status')
    expect(document.activeElement).toBe(moveButton('Talk'))
    await user.keyboard('{ArrowDown}')
    expect(screen.getByText('Moved Talk to 3 of 3')).toBeDefined()
    await waitFor(() => expect(api.to(ORDER).at(-1)?.body).toEqual(toBody([COUPLE, YOGA, TALK])))
    await user.keyboard('{ArrowUp}')
    expect(listNames()).toEqual(['Couple session', 'Talk', 'Yoga'])
  })

  test('the last of the most types that a calendar can have moves by one place, and keeps the others in order', async () => {
    const types = Array.from({ length: LIMITS.typesPerCalendar }, (_, index) =>
      makeAppointmentType({
        id: `00000000-0000-4000-8000-0000000010${String(index).padStart(2, '0')}`,
        name: index === 0 ? 'Talk' : `Service ${index}`,
      }),
    )
    const { user, api } = await renderTypes(types)
    moveButton('Service 99').focus()
    await user.keyboard('{ArrowUp}')
    expect(screen.getByText('Moved Service 99 to 99 of 100')).toBeDefined()
    const [before, last] = types.slice(-2)
    if (before === undefined || last === undefined) throw new Error('no types')
    await waitFor(() => expect(api.to(ORDER)).toHaveLength(1))
    expect(api.to(ORDER)[0]?.body).toEqual(toBody([...types.slice(0, -2), last, before]))
  })

  test('the first type cannot move up, nor the last one down', async () => {
    const { user, api } = await renderTypes([TALK, COUPLE])
    moveButton('Talk').focus()
    await user.keyboard('{ArrowUp}')
    moveButton('Couple session').focus()
    await user.keyboard('{ArrowDown}')
    expect(listNames()).toEqual(['Talk', 'Couple session'])
    expect(api.to(ORDER)).toEqual([])
  })

  test('while a move is being saved, only the latest of further moves is sent', async () => {
    const { user, api, server } = await renderTypes([TALK, COUPLE, YOGA])
    const first = heldResponse(undefined)
    api.answer(ORDER, first.answer)
    moveButton('Talk').focus()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{ArrowUp}{ArrowDown}')
    expect(api.to(ORDER)).toHaveLength(1)
    api.answer(ORDER, server.order)
    first.release()
    await waitFor(() => expect(api.to(ORDER)).toHaveLength(2))
    expect(api.to(ORDER)[1]?.body).toEqual(toBody([COUPLE, TALK, YOGA]))
    expect(listNames()).toEqual(['Couple session', 'Talk', 'Yoga'])
  })

  test('when saving fails, the old order is back and one message says so', async () => {
    const { user, api } = await renderTypes([TALK, COUPLE])
    const held = heldResponse(errorResponse('server.unexpected'))
    api.answer(ORDER, held.answer)
    moveButton('Talk').focus()
    await user.keyboard('{ArrowDown}')
    expect(listNames()).toEqual(['Couple session', 'Talk'])
    held.release()
    const sentence =
      'We restored the old order, because saving failed: Something went wrong. Please try again.'
    expect(await screen.findAllByText(sentence)).toHaveLength(1)
    expect(listNames()).toEqual(['Talk', 'Couple session'])
    expect(screen.queryByText(/^Moved/)).toBeNull()
  })

  test('after a move, a type from another window is last', async () => {
    const { user, server } = await renderTypes([TALK, COUPLE])
    server.types = [TALK, COUPLE, YOGA]
    moveButton('Talk').focus()
    await user.keyboard('{ArrowDown}')
    expect(await screen.findByRole('article', { name: 'Yoga' })).toBeDefined()
    expect(listNames()).toEqual(['Couple session', 'Talk', 'Yoga'])
  })
})

describe('by menu', () => {
  test.each([
    ['a click', (user: User) => user.click(moveButton('Couple session'))],
    ['Enter', (user: User) => pressKey(user, '{Enter}')],
    ['Space', (user: User) => pressKey(user, ' ')],
  ])('%s on the handle opens a menu that moves the type as the arrow keys do', async (_, open) => {
    const { user, api } = await renderTypes([TALK, COUPLE, YOGA])
    await open(user)
    expect(await listMenu()).toEqual(['Move up', 'Move down'])
    await user.click(screen.getByRole('menuitem', { name: 'Move down' }))
    expect(listNames()).toEqual(['Talk', 'Yoga', 'Couple session'])
    expect(screen.getByText('Moved Couple session to 3 of 3').getAttribute('role')).toBe('status')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(document.activeElement).toBe(moveButton('Couple session'))
    await waitFor(() => expect(api.to(ORDER)[0]?.body).toEqual(toBody([TALK, YOGA, COUPLE])))
  })

  test('the first type can only move down, and the last one only up', async () => {
    const { user } = await renderTypes([TALK, COUPLE])
    await user.click(moveButton('Talk'))
    expect(await listMenu()).toEqual(['Move down'])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(document.activeElement).toBe(moveButton('Talk'))
    await user.click(moveButton('Couple session'))
    expect(await listMenu()).toEqual(['Move up'])
    await user.click(screen.getByRole('menuitem', { name: 'Move up' }))
    expect(listNames()).toEqual(['Couple session', 'Talk'])
    await waitFor(() => expect(document.activeElement).toBe(moveButton('Couple session')))
  })

  test('the click that ends a drag opens no menu', async () => {
    await renderTypes([TALK, COUPLE])
    press('Talk', 50)
    fireEvent.pointerMove(moveButton('Talk'), { pointerId: 1, isPrimary: true, buttons: 1, clientY: 90 })
    point('pointerUp', 50)
    fireEvent.click(moveButton('Talk'), { detail: 1 })
    expect(screen.queryByRole('menu')).toBeNull()
    press('Talk', 50)
    point('pointerUp', 50)
    fireEvent.click(moveButton('Talk'), { detail: 1 })
    expect(await listMenu()).toEqual(['Move down'])
  })
})

describe('by pointer', () => {
  beforeEach(() => {
    // Each row is 100 px high.
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300)
    vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(topOf)
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return new DOMRect(0, topOf.call(this), 300, 100)
    })
  })

  test('a drag past the middle of the next row moves the type', async () => {
    const { api } = await renderTypes([TALK, COUPLE, YOGA])
    press('Talk', 50)
    point('pointerMove', 90)
    point('pointerUp', 110)
    expect(listNames()).toEqual(['Couple session', 'Talk', 'Yoga'])
    expect(screen.getByText('Moved Talk to 2 of 3')).toBeDefined()
    await waitFor(() => expect(api.to(ORDER)[0]?.body).toEqual(toBody([COUPLE, TALK, YOGA])))
  })

  test('a drag that ends where it began sends nothing', async () => {
    const { api } = await renderTypes([TALK, COUPLE, YOGA])
    press('Couple session', 150)
    point('pointerMove', 300)
    point('pointerUp', 160)
    expect(listNames()).toEqual(['Talk', 'Couple session', 'Yoga'])
    expect(api.to(ORDER)).toEqual([])
  })

  test.each([
    ['Escape', () => fireEvent.keyDown(window, { key: 'Escape' })],
    ['the system', () => point('pointerCancel', 290)],
  ])('%s puts the row back', async (_, giveUp) => {
    const { api } = await renderTypes([TALK, COUPLE, YOGA])
    press('Talk', 50)
    point('pointerMove', 290)
    giveUp()
    point('pointerUp', 290)
    expect(listNames()).toEqual(['Talk', 'Couple session', 'Yoga'])
    expect(screen.getAllByRole('listitem').map(({ style }) => style.translate)).toEqual(['', '', ''])
    expect(api.to(ORDER)).toEqual([])
  })

  test('a type that is deleted in another window while it is dragged is gone, and the others stay', async () => {
    const { api, server } = await renderTypes([TALK, COUPLE, YOGA])
    press('Talk', 50)
    point('pointerMove', 210)
    server.types = [COUPLE, YOGA]
    fireEvent.click(screen.getByRole('button', { name: 'Read again' }))
    await waitFor(() => expect(listNames()).toEqual(['Couple session', 'Yoga']))
    point('pointerUp', 210)
    expect(screen.getAllByRole('listitem').map(({ style }) => style.translate)).toEqual(['', ''])
    expect(api.to(ORDER)).toEqual([])
  })

  test('of a list from which another type was deleted meanwhile, the rest is saved', async () => {
    const { api, server } = await renderTypes([TALK, COUPLE, YOGA])
    press('Talk', 50)
    point('pointerMove', 60)
    server.types = [TALK, YOGA]
    fireEvent.click(screen.getByRole('button', { name: 'Read again' }))
    await waitFor(() => expect(listNames()).toEqual(['Talk', 'Yoga']))
    point('pointerUp', 150)
    await waitFor(() => expect(api.to(ORDER)[0]?.body).toEqual(toBody([YOGA, TALK])))
    expect(listNames()).toEqual(['Yoga', 'Talk'])
  })
})

test('a single type has no handle', async () => {
  await renderTypes([TALK])
  expect(screen.queryByRole('button', { name: 'Move Talk' })).toBeNull()
})

async function renderTypes(types: Type[]) {
  const server = new FakeServer(types)
  const api = stubApi({
    [LIST]: () => ({ appointment_types: server.types, stripe_connected: false, paypal_connected: false }),
    [ORDER]: server.order,
    [`GET /api/calendars/${CALENDAR_ID}/locations`]: {
      calendar_locations: [makeCalendarLocation()],
      withdrawn: [],
    },
    'GET /api/locations': { locations: [] },
  })
  const { user } = renderComponent(
    <>
      <AppointmentTypesPanel calendar={CALENDAR} />
      <ReadAgainButton />
    </>,
  )
  await screen.findByRole('article', { name: 'Talk' })
  return { user, api, server }
}

/** Reloads the types, as after a return to the window. */
function ReadAgainButton() {
  const client = useQueryClient()
  const { queryKey } = appointmentTypesQuery(CALENDAR_ID)
  return (
    <button type="button" onClick={() => void client.invalidateQueries({ queryKey })}>
      Read again
    </button>
  )
}

/** Stores types in the order that it gets. Types that are not in it are last. */
class FakeServer {
  types: Type[]
  constructor(types: Type[]) {
    this.types = types
  }
  readonly order = ({ body }: SentRequest) => {
    // The cast is safe: Meridian itself sent the body.
    const { appointment_type_ids: ids } = body as ReturnType<typeof toBody>
    const placeOf = ({ id }: Type) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
    this.types = this.types.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

function toBody(types: Type[]) {
  return { appointment_type_ids: types.map(({ id }) => id) }
}

function listNames(): (string | null)[] {
  return screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))
}

async function listMenu(): Promise<(string | null)[]> {
  const items = await screen.findAllByRole('menuitem')
  return items.map(({ textContent }) => textContent)
}

async function pressKey(user: User, key: string): Promise<void> {
  moveButton('Couple session').focus()
  await user.keyboard(key)
}

function moveButton(name: string): HTMLElement {
  return screen.getByRole('button', { name: `Move ${name}` })
}

/** Returns the top of a row of the list, and 0 for other elements. */
function topOf(this: Element): number {
  const isRow = this.matches('li')
  return isRow ? 100 * [...(this.parentElement?.children ?? [])].indexOf(this) : 0
}

function press(name: string, clientY: number): void {
  const pointer = { button: 0, pointerId: 1, isPrimary: true, clientY }
  fireEvent.pointerDown(moveButton(name), pointer)
}

function point(what: 'pointerMove' | 'pointerUp' | 'pointerCancel', clientY: number): void {
  fireEvent[what](window, { pointerId: 1, isPrimary: true, clientY })
}
