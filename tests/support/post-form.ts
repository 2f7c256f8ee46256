/** Submits a form to `url`, as a button press does. Returns a redirect instead of following it. */
export function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
}
