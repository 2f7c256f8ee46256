# The Node that package.json pins; tests/architecture/image-files.test.ts holds both together.
FROM node:24.21.0-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# With optional packages: the binary that draws logos is one (sharp).
RUN npm ci --omit=dev

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
COPY package.json ./
COPY migrations migrations
COPY tools tools
COPY src/core src/core
COPY src/contract src/contract
COPY src/server src/server
COPY --from=packages /app/node_modules node_modules
COPY --from=web /app/dist/web dist/web
USER node
EXPOSE 3000
CMD ["node", "src/server/main.ts"]
