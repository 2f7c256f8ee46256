import type { Operator, SitePageData } from '#contract/pages/page-data.ts'

/** Data about the installation for the site's pages. The operator has filled in every detail unless a test says otherwise. */
export function makeSitePageData({
  operator = {},
  ...site
}: Partial<Omit<SitePageData, 'operator'>> & { operator?: Partial<Operator> } = {}): SitePageData {
  return {
    operator: {
      name: 'Harbour Software',
      address: ['12 Quay Street', 'Bath BA1 2AB'],
      email: 'desk@harbour.example',
      phone: '+44 20 7946 0123',
      phone_numbers: [{ typed: '+44 20 7946 0123', dials: '+442079460123' }],
      ...operator,
    },
    sandbox: false,
    mailbox: false,
    registration: 'open',
    default_plan: 'free',
    plans_for_sale: [],
    contact_form: true,
    stripe: true,
    ...site,
  }
}

/** An operator who has filled in no details. */
export const OPERATOR_WITHOUT_DETAILS: Operator = {
  name: null,
  address: [],
  email: null,
  phone: null,
  phone_numbers: [],
}
