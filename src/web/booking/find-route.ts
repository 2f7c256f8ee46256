export type Route =
  | { readonly page: 'book'; readonly slug: string }
  | { readonly page: 'confirmation'; readonly slug: string | null; readonly appointmentId: string | null }
  | { readonly page: 'cancel'; readonly appointmentId: string }
  | { readonly page: 'payment-success'; readonly appointmentId: string | null }
  | {
      readonly page: 'payment-cancelled'
      readonly appointmentId: string | null
      readonly slug: string | null
      /** Null when there is none that could be one. */
      readonly transactionId: string | null
    }

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The page of this entry at an address, or null. Six pages need no router. Source: rule W1. */
export function findRoute({ pathname, search }: { pathname: string; search: string }): Route | null {
  const parts = partsOf(pathname)
  if (parts === null) return null
  const [first, second, third, ...more] = parts
  // A host of the calendar's own (rule J3). Its page brings the slug along.
  if (first === undefined) return { page: 'book', slug: '' }
  if (more.length > 0) return null
  const queried = (name: string) => new URLSearchParams(search).get(name)?.trim() || null
  const appointmentId = queried('appointment_id')
  if (second === undefined) {
    if (first === 'confirmation') return { page: first, slug: null, appointmentId }
    if (first === 'payment-success') return { page: first, appointmentId }
    if (first === 'payment-cancelled') {
      const transactionId = toId(queried('transaction_id'))
      return { page: first, appointmentId, slug: queried('calendar_slug'), transactionId }
    }
    return null
  }
  if (first === 'cancel' && third === undefined) return { page: 'cancel', appointmentId: second }
  if (first !== 'book') return null
  if (third === undefined) return { page: 'book', slug: second }
  return third === 'confirmation' ? { page: 'confirmation', slug: second, appointmentId } : null
}

/** What cannot be an id names nothing. */
function toId(text: string | null): string | null {
  return text !== null && ID.test(text) ? text : null
}

/** The decoded parts of a path, or null when it is not validly encoded. */
function partsOf(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return null
  }
}
