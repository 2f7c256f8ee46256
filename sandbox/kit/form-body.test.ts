import { expect, test } from 'vitest'
import { parseFormBody } from './form-body.ts'

test('names with brackets are parsed into nested objects', () => {
  expect(
    parseFormBody('mode=payment&line_items[0][price]=p%201&line_items[0][quantity]=1&a%5Bb%5D=c'),
  ).toEqual({
    mode: 'payment',
    line_items: { 0: { price: 'p 1', quantity: '1' } },
    a: { b: 'c' },
  })
})

test('the name __proto__ changes no other object', () => {
  parseFormBody('__proto__[polluted]=yes&constructor[prototype][polluted]=yes')
  expect({}).not.toHaveProperty('polluted')
})
