import { renderToString } from 'react-dom/server'
import type { RenderPage, SitePageData } from '#contract/pages/page-data.ts'
import { InformationPage } from '#web/areas/information/information-page.tsx'
import { SiteApp } from './site-app.tsx'

/** The HTML of a public page, drawn by the server. The tree must be that of main.tsx. */
export const render: RenderPage<SitePageData> = (path, site) =>
  renderToString(<SiteApp path={path} site={site} InformationPage={InformationPage} />)
