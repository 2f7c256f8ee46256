// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Pagination } from './pagination.tsx'

test('nothing is shown when there is only one page', () => {
  render(<Pagination page={1} totalPages={1} onChange={() => {}} />)
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('numbers, previous and next ask for their page, and the present one is marked', async () => {
  const asked: number[] = []
  render(<Pagination page={4} totalPages={12} onChange={(page) => asked.push(page)} />)
  expect(screen.getByRole('button', { current: 'page' }).textContent).toBe('4')
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  await userEvent.click(screen.getByRole('button', { name: 'Page 6' }))
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(asked).toEqual([3, 6, 5])
})

test.each([
  [1, 'Previous page'],
  [3, 'Next page'],
])('on page %i of 3 there is no %s', (page, name) => {
  render(<Pagination page={page} totalPages={3} onChange={() => {}} />)
  expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
})

test('the first and the last of many pages are one step away, and the numbers stay five', async () => {
  const asked: number[] = []
  render(<Pagination page={7_000} totalPages={20_000} onChange={(page) => asked.push(page)} />)
  expect(screen.getAllByRole('button', { name: /^Page / }).map((button) => button.textContent)).toEqual([
    '6998',
    '6999',
    '7000',
    '7001',
    '7002',
  ])
  expect(screen.getByRole('status').textContent).toBe('Page 7,000 of 20,000')
  await userEvent.click(screen.getByRole('button', { name: 'First page' }))
  await userEvent.click(screen.getByRole('button', { name: 'Last page' }))
  expect(asked).toEqual([1, 20_000])
})

test('where the numbers show all pages there is no other way to the ends', () => {
  render(<Pagination page={2} totalPages={5} onChange={() => {}} />)
  expect(screen.queryByRole('button', { name: /First|Last/ })).toBeNull()
})
