// @vitest-environment happy-dom

import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { stubFrames } from '#web/testing/stub-frames.ts'
import { EmbedDialog } from './embed-dialog.tsx'

const CALENDAR = `/api/calendars/${CALENDAR_ID}`
const SITE = 'https://www.example.com'

beforeEach(stubFrames)
test.each([
  ['In the page', 'inline', ''],
  ['Button', 'button', ' data-color="#3498db"'],
  ['Floating button', 'float', ' data-color="#3498db"'],
])('the code for “%s” is shown, copied and tried', async (label, form, look) => {
  const { user } = open()
  await user.click(screen.getByRole('radio', { name: label }))
  const code = [
    `<a href="${location.origin}/book/dr-grey" data-meridian="${form}"${look}>Book an appointment</a>`,
    `<script src="${location.origin}/embed.js" async></script>`,
  ].join('\n')
  expect(document.querySelector('code')?.textContent).toBe(code)
  expect(screen.getByTitle('Preview of the embedded booking page').getAttribute('srcdoc')).toContain(code)
  await user.click(screen.getByRole('button', { name: 'Copy code' }))
  expect(await navigator.clipboard.readText()).toBe(code)
})

test('websites are listed one per line, and empty lines are ignored', async () => {
  const calendar = makeCalendar()
  const api = stubApi({ [`PATCH ${CALENDAR}`]: { ...calendar, embed_sites: [SITE] } })
  const { user } = open(calendar)
  expect(screen.queryByLabelText('Websites')).toBeNull()
  await user.click(sites().getByRole('radio', { name: 'Only these websites' }))
  expect(screen.getByText(/If empty, no website can show it/)).toBeDefined()
  await user.type(screen.getByLabelText('Websites'), 'www.example.com{Enter}{Enter}')
  await user.click(screen.getByRole('button', { name: 'Save websites' }))
  expect(await screen.findByText('Websites saved')).toBeDefined()
  expect(api.sent.map(({ body }) => body)).toEqual([
    { embed_sites: ['www.example.com'], was: { embed_sites: null } },
  ])
  // The server responds with the origin that it has made from the host, and the field shows that origin.
  expect(screen.getByLabelText('Websites')).toHaveProperty('value', SITE)
})

test('a host in another script is sent in its ASCII form', async () => {
  const calendar = makeCalendar({ embed_sites: [] })
  const api = stubApi({ [`PATCH ${CALENDAR}`]: calendar })
  const { user } = open(calendar)
  await user.type(screen.getByLabelText('Websites'), 'münchen.example')
  await user.click(screen.getByRole('button', { name: 'Save websites' }))
  await screen.findByText('Websites saved')
  expect(api.to(`PATCH ${CALENDAR}`)[0]?.body).toMatchObject({
    embed_sites: ['https://xn--mnchen-3ya.example'],
  })
})

test('any website can be allowed again', async () => {
  const calendar = makeCalendar({ embed_sites: [SITE] })
  const api = stubApi({ [`PATCH ${CALENDAR}`]: { ...calendar, embed_sites: null } })
  const { user } = open(calendar)
  await user.click(sites().getByRole('radio', { name: 'Any website' }))
  await user.click(screen.getByRole('button', { name: 'Save websites' }))
  expect(await screen.findByText('Websites saved')).toBeDefined()
  expect(api.sent.map(({ body }) => body)).toEqual([{ embed_sites: null, was: { embed_sites: [SITE] } }])
})

test.each([
  ['what is no address', 'my website', 'Please enter each website’s address'],
  ['too many', 'https://a.example\n'.repeat(21), PROBLEMS['calendar.embed_sites_too_many'].title],
])('%s is not sent', async (_what, text, sentence) => {
  const api = stubApi({})
  const { user } = open(makeCalendar({ embed_sites: [] }))
  await user.click(screen.getByLabelText('Websites'))
  await user.paste(text)
  await user.click(screen.getByRole('button', { name: 'Save websites' }))
  expect(await screen.findByText(new RegExp(sentence))).toBeDefined()
  expect(api.sent).toEqual([])
})

test('a refusal is shown, and typed text is kept', async () => {
  stubApi({ [`PATCH ${CALENDAR}`]: errorResponse('request.too_many') })
  const { user } = open(makeCalendar({ embed_sites: [] }))
  await user.type(screen.getByLabelText('Websites'), SITE)
  await user.click(screen.getByRole('button', { name: 'Save websites' }))
  expect(await screen.findByText(/^Failed to save the websites: Too many attempts/)).toBeDefined()
  expect(screen.getByLabelText('Websites')).toHaveProperty('value', SITE)
})

function open(calendar = makeCalendar()) {
  return renderComponent(<EmbedDialog calendar={calendar} open onOpenChange={() => {}} />)
}

function sites() {
  return within(screen.getByRole('form', { name: 'Websites that can show your booking page' }))
}
