import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations/operations.ts'

const PATH = join(import.meta.dirname, '../../../openapi.json')
type Answer = { description: string; content?: Record<string, { schema: object }> }
type Described = { operationId: string; responses: Record<string, object> }

const document: {
  paths: Record<string, Record<string, Described>>
  components: Record<'schemas' | 'parameters' | 'responses', Record<string, object>>
} = JSON.parse(await readFile(PATH, 'utf8'))
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))

/** Resolves a reference, because responses shared by several operations are components. */
function resolve(part: object): Answer {
  const [, name = ''] = ('$ref' in part && String(part.$ref).match(/^#\/components\/responses\/(\w+)$/)) || []
  return (name === '' ? part : document.components.responses[name]) as Answer
}

test('the document is small enough to read and to send', async () => {
  expect((await stat(PATH)).size).toBeLessThan(640_000)
})

test('the document has every operation of the table', () => {
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(
    Object.values(OPERATIONS)
      .map(({ operationId }) => operationId)
      .sort(),
  )
})

test('refusals are problems and nothing else is; answers are named', () => {
  for (const { operationId, responses } of described) {
    expect(Object.keys(responses)).toContain('default')
    for (const [status, answer] of Object.entries(responses)) {
      const { content = {}, description } = resolve(answer)
      const isRefusal = status === 'default' || Number(status) >= 400
      expect([operationId, status, Object.keys(content).includes('application/problem+json')]).toEqual([
        operationId,
        status,
        isRefusal,
      ])
      expect(description).not.toBe('Default Response')
      if (isRefusal) expect(Object.keys(content)).toEqual(['application/problem+json'])
      const json = content['application/json']?.schema
      if (json !== undefined && !operationId.startsWith('receive')) expect(json).toHaveProperty('$ref')
    }
  }
})

test('the document has no component that nothing refers to, and shares what several operations have', () => {
  const text = JSON.stringify(document)
  const unused = (['schemas', 'parameters', 'responses'] as const).flatMap((kind) =>
    Object.keys(document.components[kind]).filter(
      (name) => text.split(`"#/components/${kind}/${name}"`).length < (kind === 'schemas' ? 2 : 3),
    ),
  )
  expect(unused).toEqual([])
})
