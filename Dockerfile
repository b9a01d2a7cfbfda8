# API, worker and migrations: one image, three commands. See docker-compose.yml.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
# Half of the packages' size is not used at run time: Temporal's binaries for other platforms, source maps, and TypeScript files,
# which Node does not load from packages.
RUN npm ci --omit=dev --ignore-scripts \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete

FROM node:24-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
# The build does not need the programs that packages install with scripts.
RUN npm ci --ignore-scripts
COPY contract contract
COPY clients clients
COPY docs/openapi.json docs/
COPY scripts scripts
# The console shows some of the examples.
COPY examples examples
COPY tsconfig.json ./
COPY console console
RUN node console/build.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
# `docker build --build-arg GIT_COMMIT=$(git rev-parse HEAD)`
ARG GIT_COMMIT=
ENV GIT_COMMIT=$GIT_COMMIT
# Temporal's SDK uses the system's CA certificates, which the base image lacks. Node has its own.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY contract contract
# The API reads exported conversations as the client does.
COPY clients/typescript/uploads clients/typescript/uploads
COPY runtime runtime
COPY db db
COPY redaction redaction
COPY activities activities
COPY workflows workflows
COPY worker worker
COPY api api
COPY --from=console /app/console/dist console/dist
# Bundles the workflows now, so the worker does not have to at each start. The bundler leaves its compiler in the cache.
RUN node worker/build-workflows.ts && rm -rf /root/.cache
# Recordings, if no S3 bucket is used. The API and the worker share a volume here.
RUN mkdir /audio && chown node:node /audio
USER node
EXPOSE 3000
CMD ["node", "api/main.ts"]
