/** Presses a button of the page at `url`; a redirect is answered, not followed. */
export function post(url: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
}
