import './site.css'
import { documentPath } from '#web/shared/document-path.ts'
import { mount } from '#web/shared/mount.tsx'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { isInformation, type LoadOwnerPart, loadPage } from './shown-page.ts'
import { SiteApp } from './site-app.tsx'

const path = documentPath()
const site = readSitePageData()
const loadOwnerPart: LoadOwnerPart = () => import('#web/app/open-app.tsx')

if (isInformation(path)) {
  void loadPage(path).then((page) => mount(<SiteApp {...page} {...{ site, loadOwnerPart }} />))
} else {
  mount(<SiteApp {...{ path, site, loadOwnerPart }} />)
}
