export type FormBody = { [name: string]: string | FormBody }

/**
 * Parses `a[b][0][c]=d` into nested objects; a list becomes an object with the keys 0, 1, 2. Keys such as `__proto__` have no
 * special meaning.
 */
export function parseFormBody(text: string): FormBody {
  const root = emptyBody()
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''))
    const last = rest.pop()
    if (last === undefined) root[first] = value
    else [first, ...rest].reduce(stepInto, root)[last] = value
  }
  return root
}

function stepInto(body: FormBody, name: string): FormBody {
  const inner = body[name]
  if (typeof inner === 'object') return inner
  const fresh = emptyBody()
  body[name] = fresh
  return fresh
}

/** An object without a prototype, in which `__proto__` is an ordinary key. */
function emptyBody(): FormBody {
  return Object.create(null)
}
