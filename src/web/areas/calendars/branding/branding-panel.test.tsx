// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Branding, BrandingPreview } from '#contract/calendars/branding.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeCalendar, makeSubscription } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { BrandingPanel } from './branding-panel.tsx'

const PATH = `/api/calendars/${CALENDAR_ID}/branding`
const READ = `GET ${PATH}`
const SAVE = `PATCH ${PATH}`
const CLEAR = `DELETE ${PATH}`
const PREVIEWED = `POST ${PATH}/preview`
const MAKE_LOGO = `POST ${PATH}/logo`
const LOGO = {
  hash: 'a'.repeat(64),
  url: `/branding/${CALENDAR_ID}/${'a'.repeat(64)}.png`,
  width: 200,
  height: 80,
}
const WITH_BRANDING = makeSubscription({
  subscription_tier: 'Enterprise',
  limits: { calendars: 10, integrations: [], features: ['custom_branding'] },
})

test('a changed colour and text are previewed, and saved alone', async () => {
  const { user, api } = renderPanel()
  const hex = await screen.findByLabelText('Primary colour: hex code')
  fireEvent.change(hex, { target: { value: '#8e44ad' } })
  await enterText(user, screen.getByLabelText(/^Welcome message/), 'Hello')
  expect(screen.getByText('The text on it is white: contrast 5.9 to 1.')).toBeDefined()
  await waitFor(() =>
    expect(api.to(PREVIEWED).at(-1)?.body).toEqual({
      logo_hash: null,
      own_colors: true,
      primary_color: '#8e44ad',
      secondary_color: '#16a085',
      custom_css: '',
      welcome_message: 'Hello',
      footer_text: '',
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Save branding' }))
  expect(await screen.findByText('Branding settings saved successfully')).toBeDefined()
  expect(api.to(SAVE).map(({ body }) => body)).toEqual([
    {
      primary_color: '#8e44ad',
      welcome_message: 'Hello',
      was: { primary_color: '#3498db', welcome_message: '' },
    },
  ])
})

test('unused colours are hidden; turned on, they are saved', async () => {
  const { user, api } = renderPanel({ stored: DEFAULT_COLORS })
  const own = await screen.findByRole('switch', { name: /^Use your own colours/ })
  expect(screen.queryByLabelText('Primary colour: hex code')).toBeNull()
  await enterText(user, screen.getByLabelText(/^Welcome message/), 'Hello')
  await user.click(screen.getByRole('button', { name: 'Save branding' }))
  await waitFor(() =>
    expect(api.to(SAVE)[0]?.body).toEqual({ welcome_message: 'Hello', was: { welcome_message: '' } }),
  )
  await user.click(own)
  expect(screen.getByLabelText<HTMLInputElement>('Primary colour: hex code').value).toBe('#3B82F6')
  await waitFor(() =>
    expect(api.to(PREVIEWED).at(-1)?.body).toMatchObject({ own_colors: true, primary_color: '#3B82F6' }),
  )
})

test('an incomplete colour is not previewed', async () => {
  const { api } = renderPanel()
  const hex = await screen.findByLabelText('Primary colour: hex code')
  fireEvent.change(hex, { target: { value: '#8e4' } })
  fireEvent.change(screen.getByLabelText(/^Footer text/), { target: { value: 'Bye' } })
  fireEvent.change(hex, { target: { value: '#8e44ad' } })
  await waitFor(() => expect(api.to(PREVIEWED).at(-1)?.body).toMatchObject({ footer_text: 'Bye' }))
  const colors = api.to(PREVIEWED).map(({ body }) => (body as { primary_color: string }).primary_color)
  expect(new Set(colors)).toEqual(new Set(['#3498db', '#8e44ad']))
})

test('refused custom CSS is listed with its line', async () => {
  renderPanel({ preview: { refused: [{ line: 2, message: 'An address is not allowed here.' }] } })
  expect(await screen.findByText('Line 2: An address is not allowed here.')).toBeDefined()
})

test('a logo is fetched on request, shown, saved by its hash, and can be removed', async () => {
  const { user, api } = renderPanel()
  await enterText(user, await screen.findByLabelText(/^Logo address/), 'https://example.org/logo.png')
  expect(api.to(MAKE_LOGO)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Load logo' }))
  expect((await screen.findByAltText('Your logo')).getAttribute('src')).toBe(LOGO.url)
  expect(api.to(MAKE_LOGO).map(({ body }) => body)).toEqual([{ logo_url: 'https://example.org/logo.png' }])
  await user.click(screen.getByRole('button', { name: 'Remove logo' }))
  expect(screen.queryByAltText('Your logo')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>(/^Logo address/).value).toBe('')
})

test('a logo that cannot be processed is reported at its field', async () => {
  const { user, api } = renderPanel()
  api.answer(MAKE_LOGO, errorResponse('branding.logo_not_an_image'))
  const address = await screen.findByLabelText(/^Logo address/)
  await enterText(user, address, 'https://example.org/page')
  await user.click(screen.getByRole('button', { name: 'Load logo' }))
  await waitFor(() => expect(address.getAttribute('aria-invalid')).toBe('true'))
})

const FREE = makeSubscription()
const DEFAULT_COLORS = { own_colors: false, primary_color: '#3B82F6', secondary_color: '#10B981' }

test('a plan without branding shows a notice, and nothing more without stored branding', async () => {
  const { api } = renderPanel({ subscription: FREE, stored: DEFAULT_COLORS })
  expect(await screen.findByText('Custom branding is not available on the Free plan.')).toBeDefined()
  expect(screen.queryByText(/^Your settings stay saved/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete branding' })).toBeNull()
  expect(screen.queryByRole('form', { name: 'Branding' })).toBeNull()
  expect(api.to(PREVIEWED)).toEqual([])
})

test('what is stored is shown on a plan without branding, and can be deleted. Source: rule K3', async () => {
  const stored = {
    logo: LOGO,
    own_colors: true,
    primary_color: '#8e44ad',
    welcome_message: 'Hello',
    custom_css: 'h1 {}',
  }
  const { user, api } = renderPanel({ subscription: FREE, stored })
  expect(await screen.findByText(/^Your settings stay saved, but aren’t shown/)).toBeDefined()
  expect(screen.getByAltText('Your logo').getAttribute('src')).toBe(LOGO.url)
  expect(screen.getByText('#8e44ad')).toBeDefined()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Welcome message').value).toBe('Hello')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Custom CSS').readOnly).toBe(true)
  expect(screen.queryByLabelText('Footer text')).toBeNull()

  await user.click(screen.getByRole('button', { name: 'Delete branding' }))
  expect(api.to(CLEAR)).toEqual([])
  await user.click(within(await screen.findByRole('alertdialog')).getByText('Delete branding'))
  expect(await screen.findByText('Branding deleted')).toBeDefined()
  expect(api.to(CLEAR)).toHaveLength(1)
  await waitFor(() => expect(screen.queryByText(/^Your settings stay saved/)).toBeNull())
})

test('a colour alone counts as stored branding; a refused deletion is shown and keeps it', async () => {
  const { user, api } = renderPanel({
    subscription: FREE,
    stored: { ...DEFAULT_COLORS, own_colors: true, primary_color: '#8e44ad' },
  })
  api.answer(CLEAR, errorResponse('server.unexpected'))
  await user.click(await screen.findByRole('button', { name: 'Delete branding' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByText('Delete branding'))
  expect(await screen.findByText(/^Failed to delete the branding/)).toBeDefined()
  expect(screen.getByText('#8e44ad')).toBeDefined()
})

test('a failed load can be retried', async () => {
  const { user, api } = renderPanel({ refused: true })
  const error = await screen.findByText('Failed to load branding', {}, { timeout: 10_000 })
  expect(error).toBeDefined()
  api.answer(READ, makeBranding())
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(
    within(await screen.findByRole('form', { name: 'Branding' })).getByLabelText(/^Footer text/),
  ).toBeDefined()
})

type Given = {
  stored?: Partial<Branding>
  preview?: Partial<BrandingPreview>
  subscription?: SubscriptionResponse
  refused?: boolean
}

function renderPanel({
  stored = {},
  preview = {},
  subscription = WITH_BRANDING,
  refused = false,
}: Given = {}) {
  const branding = makeBranding(stored)
  const api = stubApi({
    [READ]: refused ? errorResponse('server.unexpected') : branding,
    [SAVE]: ({ body }: SentRequest) => {
      const { was: _was, ...changes } = body as Partial<Branding> & { was: unknown } // sent by the form under test
      return { ...branding, ...changes }
    },
    [PREVIEWED]: {
      branding: { colors: {}, logo: null, welcome_html: '', footer_html: '', stylesheet: null },
      css: '',
      refused: [],
      ...preview,
    } satisfies BrandingPreview,
    [CLEAR]: makeBranding(DEFAULT_COLORS),
    [MAKE_LOGO]: LOGO,
  })
  const { user } = renderComponent(<BrandingPanel calendar={makeCalendar()} subscription={subscription} />)
  return { user, api }
}

function makeBranding(over: Partial<Branding> = {}): Branding {
  return {
    logo_url: '',
    logo: null,
    own_colors: true,
    primary_color: '#3498db',
    secondary_color: '#16a085',
    custom_css: '',
    welcome_message: '',
    footer_text: '',
    ...over,
  }
}
