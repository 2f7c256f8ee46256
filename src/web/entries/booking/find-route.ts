/** The pages that emails link to. */
export type EmailLinkRoute =
  | { readonly page: 'cancel'; readonly appointmentId: string }
  | { readonly page: 'manage' | 'waiting'; readonly token: string }

export type BookingRoute =
  | { readonly page: 'book'; readonly slug: string }
  | { readonly page: 'confirmation'; readonly slug: string | null; readonly appointmentId: string | null }
  | EmailLinkRoute
  | {
      readonly page: 'payment-success' | 'payment-cancelled'
      readonly appointmentId: string | null
      readonly slug: string | null
      /** The id in the URL; null if it is missing or malformed. */
      readonly transactionId: string | null
    }

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds the page of this entry for a URL, or null. Eight pages need no router library. Source: rule W1. */
export function findRoute({ pathname, search }: { pathname: string; search: string }): BookingRoute | null {
  const parts = partsOf(pathname)
  if (parts === null) return null
  const [first, second, third, ...more] = parts
  // The calendar's own host (rule J3). The slug is in the page data.
  if (first === undefined) return { page: 'book', slug: '' }
  if (more.length > 0) return null
  const queried = (name: string) => new URLSearchParams(search).get(name)?.trim() || null
  const appointmentId = queried('appointment_id')
  if (second === undefined) {
    if (first === 'confirmation') return { page: first, slug: null, appointmentId }
    if (first === 'payment-success' || first === 'payment-cancelled') {
      const transactionId = toId(queried('transaction_id'))
      return { page: first, appointmentId, slug: queried('calendar_slug'), transactionId }
    }
    return null
  }
  if (third === undefined) return findNamedPage(first, second)
  if (first !== 'book' || third !== 'confirmation') return null
  return { page: third, slug: second, appointmentId }
}

/** Finds a page whose path consists of a name and one parameter. Returns null if there is none. */
function findNamedPage(page: string | undefined, name: string): BookingRoute | null {
  if (page === 'book') return { page, slug: name }
  if (page === 'cancel') return { page, appointmentId: name }
  return page === 'manage' || page === 'waiting' ? { page, token: name } : null
}

/** Returns the text if it is a valid id, else null. */
function toId(text: string | null): string | null {
  return text !== null && ID.test(text) ? text : null
}

/** Returns the decoded parts of a path, or null if its encoding is invalid. */
function partsOf(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return null
  }
}
