import type { OpenApiOperation, OpenApiParameter } from './open-api.ts'

/** Builds an operation's URL with an encoded value for each parameter; null leaves the parameter out of the query. */
export function fillOperationAddress(
  { path, parameters = [] }: OpenApiOperation,
  fill: (parameter: OpenApiParameter) => string | null,
): string {
  let address = path
  const query: string[] = []
  for (const parameter of parameters) {
    if (parameter.in === 'header') continue
    const value = fill(parameter)
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, value ?? '')
    else if (value !== null) query.push(`${parameter.name}=${value}`)
  }
  return query.length === 0 ? address : `${address}?${query.join('&')}`
}

/** Names the kind of record that a parameter identifies: `id` is a calendar's id, except after `/appointments/`. */
export function recordNameOf({ path }: OpenApiOperation, { name }: OpenApiParameter): string {
  if (name !== 'id') return name
  return path.includes('/appointments/{id}') ? 'appointment_id' : 'calendar_id'
}
