import { renderToString } from 'react-dom/server'
import type { RenderPage, SitePageData } from '#contract/page-data.ts'
import { InformationPage } from '#web/features/information/information-page.tsx'
import { SiteApp } from './site-app.tsx'

/** The HTML of a page that anyone may read, drawn by the server. The same tree as in main.tsx. */
export const render: RenderPage<SitePageData> = (path, site) =>
  renderToString(<SiteApp path={path} site={site} InformationPage={InformationPage} />)
