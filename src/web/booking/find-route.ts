export type Route =
  | { readonly page: 'book'; readonly slug: string }
  | { readonly page: 'confirmation'; readonly slug: string | null; readonly appointmentId: string | null }
  | { readonly page: 'cancel'; readonly appointmentId: string }
  | { readonly page: 'payment-success'; readonly appointmentId: string | null }
  | {
      readonly page: 'payment-cancelled'
      readonly appointmentId: string | null
      readonly slug: string | null
    }

/** The page of this entry at an address, or null. Six pages need no router. Source: rule W1. */
export function findRoute({ pathname, search }: { pathname: string; search: string }): Route | null {
  const parts = partsOf(pathname)
  if (parts === null) return null
  const [first, second, third, ...more] = parts
  if (more.length > 0) return null
  const queried = (name: string) => new URLSearchParams(search).get(name)?.trim() || null
  const appointmentId = queried('appointment_id')
  if (second === undefined) {
    if (first === 'confirmation') return { page: first, slug: null, appointmentId }
    if (first === 'payment-success') return { page: first, appointmentId }
    if (first === 'payment-cancelled') return { page: first, appointmentId, slug: queried('calendar_slug') }
    return null
  }
  if (first === 'cancel' && third === undefined) return { page: 'cancel', appointmentId: second }
  if (first !== 'book') return null
  if (third === undefined) return { page: 'book', slug: second }
  return third === 'confirmation' ? { page: 'confirmation', slug: second, appointmentId } : null
}

/** The decoded parts of a path, or null when it is not validly encoded. */
function partsOf(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return null
  }
}
