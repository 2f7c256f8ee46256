import './site.css'
import { documentPath } from '#web/shared/document-path.ts'
import { renderIntoDocument } from '#web/shared/mount.tsx'
import { readPageState } from '#web/shared/next-document.ts'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { isPageCodeLoaded, loadPage, type PageToShow } from './shown-page.ts'
import { SiteApp } from './site-app.tsx'

const first: PageToShow = { path: documentPath(), search: location.search, state: readPageState() }
const show = (page: PageToShow) => renderIntoDocument(<SiteApp {...page} site={readSitePageData()} />)

// A page without a separate chunk is shown at once.
if (isPageCodeLoaded(first.path)) void loadPage(first).then(show)
else show(first)
