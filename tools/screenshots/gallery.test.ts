import { expect, test } from 'vitest'
import { buildGallery } from './gallery.ts'

test('the gallery shows the pictures of a screen together, part by part, and nothing else', () => {
  const page = buildGallery([
    '201-account-login-375-dark.png',
    '102-site-home-1280-light.png',
    '102-site-home-375-rtl.png',
    'index.html',
  ])
  expect([...page.matchAll(/<h[23][^>]*>(.*?)<\//g)].map(([, heading]) => heading)).toEqual([
    'site',
    '102-site-home',
    'account',
    '201-account-login',
  ])
  expect([...page.matchAll(/<img src="(.*?)".*?width="(\d+)/g)].map(([, file]) => file)).toEqual([
    '102-site-home-1280-light.png',
    '102-site-home-375-rtl.png',
    '201-account-login-375-dark.png',
  ])
})
