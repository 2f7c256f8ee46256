import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** The fields of one of Google's resources, each with its type as the client library of Google declares it. */
type Shape = ReadonlyMap<string, string>

/** Google's resources, by the names of their schemas: `Event`. */
export async function readGoogleShapes(): Promise<ReadonlyMap<string, Shape>> {
  const path = createRequire(import.meta.url).resolve('@googleapis/calendar/build/v3.d.ts')
  const source = (await readFile(path, 'utf8')).replace(/\/\*\*[\s\S]*?\*\//g, '')
  const declared = [...source.matchAll(/export interface Schema\$(\w+) (\{[\s\S]*?\n {4}\})/g)]
  return new Map(declared.map(([, name = '', body = '']) => [name, readFields(body)]))
}

/** Source: the way in which the library's generator writes its types; each field ends with a semicolon. */
function readFields(body: string): Shape {
  const fields = new Map<string, string>()
  let depth = 0
  let field = ''
  for (const character of body.slice(1)) {
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    if (character !== ';' || depth > 0) {
      field += character
      continue
    }
    const [, name = '', type = ''] = /^\s*(\w+)\?: ([\s\S]+)$/.exec(field) ?? []
    if (name !== '') fields.set(name, type.replace(/ \| null$/, '').trim())
    field = ''
  }
  return fields
}

/** What an answer has that its published shape has not: `items[0].summary is a number`. None: it fits. */
export function listMisfits(
  shapes: ReadonlyMap<string, Shape>,
  type: string,
  value: unknown,
  path = type,
): string[] {
  const [, element] = /^(.+)\[\]$/.exec(type) ?? []
  if (element !== undefined) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((inner, index) => listMisfits(shapes, element, inner, `${path}[${index}]`))
  }
  if (['string', 'number', 'boolean'].includes(type)) {
    return typeof value === type ? [] : [`${path} is a ${typeof value}`]
  }
  if (typeof value !== 'object' || value === null) return [`${path} is no object`]
  const shape = type.startsWith('{') ? readFields(type) : shapes.get(type.replace('Schema$', ''))
  if (shape === undefined) return [`${path} has the unknown type ${type}`]
  const [, indexed] = /^\{\s*\[key: string\]: (\w+);\s*\}$/.exec(type) ?? []
  return Object.entries(value).flatMap(([name, inner]) => {
    const fieldType = indexed ?? shape.get(name)
    return fieldType === undefined
      ? [`${path}.${name} is not published`]
      : listMisfits(shapes, fieldType, inner, `${path}.${name}`)
  })
}
