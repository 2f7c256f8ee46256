import { PAGE_DATA_ID, type SitePageData } from '#contract/pages/page-data.ts'

const NOTHING_KNOWN: SitePageData = {
  operator: { name: null, address: [], email: null, phone: null, phone_numbers: [] },
  sandbox: false,
  mailbox: false,
  registration: 'open',
  default_plan: 'free',
  plans_for_sale: [],
  contact_form: false,
  stripe: false,
}

/** Reads the data that the server wrote into the HTML of a page of the site or app. Returns defaults if there is none. */
export function readSitePageData(): SitePageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  return text ? (JSON.parse(text) as SitePageData) : NOTHING_KNOWN // written by our own server with this type
}
