# syntax=docker/dockerfile:1
# `npm start` in a container: built once here, started without a build. workerd needs glibc, so no Alpine.
# test/server/image.long.test.ts copies the files of the COPY lines into an empty folder, and starts there.
FROM node:24-bookworm-slim AS build
WORKDIR /holdpoint
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# The other packages of this folder are for tests and types.
RUN mkdir dist-image && cp -R node_modules/@cloudflare/workerd-linux-* dist-image

FROM node:24-bookworm-slim
# workerd trusts the certificates of the system, and the slim image has none.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /holdpoint
# A start compares the sources with the bundle, and finds it fresh.
COPY --from=build /holdpoint/package.json /holdpoint/package-lock.json /holdpoint/wrangler.toml ./
COPY --from=build /holdpoint/scripts ./scripts
COPY --from=build /holdpoint/src ./src
COPY --from=build /holdpoint/migrations ./migrations
COPY --from=build /holdpoint/dist ./dist
# What a start imports; the last folder has workerd for this processor.
COPY --from=build /holdpoint/node_modules/zod ./node_modules/zod
COPY --from=build /holdpoint/node_modules/@noble/hashes ./node_modules/@noble/hashes
COPY --from=build /holdpoint/node_modules/workerd ./node_modules/workerd
COPY --from=build /holdpoint/dist-image ./node_modules/@cloudflare

# The secrets that the first start makes are kept with the data.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 HOLDPOINT_DATA=/data HOLDPOINT_SETTINGS=/data/settings.env
RUN install --directory --owner=node --group=node --mode=700 /data
VOLUME /data
USER node
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/run.js", "start"]
