import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PricingPage } from '#web/areas/plans/pricing-page.tsx'
import { HomePage } from './home/home-page.tsx'

test.each([
  ['home page', 'Let your customers find the time.', <HomePage key="home" canRegister owner={undefined} />],
  [
    'pricing page',
    '€19.99',
    <PricingPage
      key="pricing"
      owner={undefined}
      site={{
        default_plan: 'free',
        registration: 'open',
        plans_for_sale: [{ tier: 'business', amount_cents: 1999, currency: 'eur' }],
        stripe: true,
      }}
    />,
  ],
])(
  'the %s can be drawn without a browser or a clock, and has no inline style that the policy refuses',
  (_, text, page) => {
    const html = renderToString(page)
    expect(html).toContain(text)
    expect(html).not.toContain('style=')
    expect(renderToString(page)).toBe(html)
  },
)
