# The companion with its program in it, for `spec.companion.image`:
#   docker build --tag registry.example.com/weft-companion:0.1.0 .
FROM docker.io/library/node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
COPY src src
COPY tsconfig.json ./
RUN npx tsx scripts/build-companion.ts /weft/companion.cjs

FROM docker.io/library/node:24-slim
COPY --from=build /weft/companion.cjs /weft/companion.cjs
# The user `node`, by number: Kubernetes checks `runAsNonRoot` against it.
USER 1000:1000
ENTRYPOINT ["node", "/weft/companion.cjs"]
