export type FormBody = { [name: string]: string | FormBody }

/**
 * Reads `a[b][0][c]=d` as the object that it stands for; a list becomes an object with the names 0, 1, 2. Names that a
 * JavaScript object has by itself mean nothing here.
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

/** Without a prototype, so that `__proto__` is a name like any other. */
function emptyBody(): FormBody {
  return Object.create(null)
}
