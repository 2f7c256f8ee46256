export type Route =
  | { readonly page: 'book'; readonly slug: string }
  | { readonly page: 'confirmation'; readonly slug: string | null; readonly appointmentId: string | null }
  | { readonly page: 'cancel'; readonly appointmentId: string }

/** The page of this entry that an address means, or null. Four pages need no router. Source: spec §2 "Route table". */
export function findRoute({ pathname, search }: { pathname: string; search: string }): Route | null {
  const parts = partsOf(pathname)
  if (parts === null) return null
  const [first, second, third, ...more] = parts
  if (more.length > 0) return null
  const appointmentId = new URLSearchParams(search).get('appointment_id')?.trim() || null
  if (first === 'confirmation' && second === undefined)
    return { page: 'confirmation', slug: null, appointmentId }
  if (second === undefined) return null
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
