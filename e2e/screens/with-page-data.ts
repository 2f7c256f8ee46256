import type { Page } from '@playwright/test'

/**
 * Opens the page again with other first data, for states of an installation that this one is not in. The browser draws it, because
 * what the server has drawn is of its own data.
 */
export async function withPageData<Data>(page: Page, change: (data: Data) => Data): Promise<void> {
  const address = page.url()
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const html = (await response.text())
      .replace(/<div id="root">.*<\/div>(?=\s*<noscript>)/s, '<div id="root"></div>')
      .replace(DATA, (_, head: string, json: string) => {
        const text = JSON.stringify(change(JSON.parse(json) as Data)) // written by our own server, of that type
        return `${head}${text.replaceAll('<', '\\u003c')}</script>`
      })
    await route.fulfill({ response, body: html })
  })
  await page.goto(address)
}

const DATA = /(<script type="application\/json" id="page-data">)(.*?)<\/script>/s
