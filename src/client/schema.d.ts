/** Types of the API, made from its OpenAPI document by `npm run client`. */

export interface paths {
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State of the service */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The resolved enforcement context */
        get: operations["context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Registered scopes that the caller may use */
        get: operations["scopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes an empty scope */
        delete: operations["removeScope"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hybrid search */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A grounded, cited answer */
        post: operations["answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Units like a Unit, or like the picture or sound in the body */
        post: operations["similar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Units by time */
        get: operations["units"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One Unit */
        get: operations["unit"];
        put?: never;
        post?: never;
        /** Deletes one Unit; with the last one of a file, the file */
        delete: operations["removeUnit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of a Unit: the page, the crop, the frame, the waveform */
        get: operations["preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stores a batch of Units, whole or not at all */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a file in and makes Units of it; with wait=true, answers when they are searchable */
        post: operations["putFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file and its Units */
        get: operations["file"];
        put?: never;
        post?: never;
        /** Deletes a file with its Units */
        delete: operations["removeFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of a file; takes a Range */
        get: operations["fileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the work on a file is */
        get: operations["job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Catalog stats over what the caller may read */
        get: operations["stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of the audit chain, newest first */
        get: operations["audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Recomputes the audit chain */
        get: operations["verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** (Re)seeds the demo: open until a token exists, then for admins of the namespace demo */
        post: operations["seed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads stored files again that older extractors read, a page of files a call */
        post: operations["reread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** API tokens, live and revoked, without their secrets */
        get: operations["tokens"];
        put?: never;
        /** Makes an API token, and its principal when that is new; never with more than the caller has */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes an API token, and ends the sessions made from it */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchanges an API token for a console session cookie */
        post: operations["openSession"];
        /** Ends the session of the cookie */
        delete: operations["closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: "ok" | "degraded" | "down";
                        service: string;
                        version: string;
                        time: string;
                        bindings: {
                            catalog: string;
                            vector_index: string[];
                            object_store: string;
                            key_value: string;
                            inference: boolean;
                        };
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    context: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resolved enforcement context */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        principal: {
                            principal_id: string;
                            namespace: string;
                            read_only: boolean;
                            groups: string[];
                        };
                        active_scope: string;
                        requested_scope: string;
                        effective_scopes: string[];
                        allowed_scopes: string[];
                        perms: ("read" | "write" | "admin")[];
                        folders_visible: number;
                        folders_total: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    scopes: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Registered scopes that the caller may use */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        scopes: {
                            scope: string;
                            namespace: string;
                            parent: string | null;
                            planes: ("text" | "visual" | "audio" | "doc_visual")[];
                            read_only_agents: boolean;
                            created_at: number;
                        }[];
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    removeScope: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Scope path: 1-8 segments of letters, digits, ".", "_" or "-" (at most 64 each, none "." or ".."), joined by "/". Slashes may stand as they are. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removes an empty scope */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    q: string;
                    /** @default 10 */
                    top_k?: number;
                    planes?: ("text" | "visual" | "audio" | "doc_visual")[];
                    modalities?: ("text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection")[];
                    mode?: "hybrid" | "vector" | "fulltext";
                    doc_id?: string;
                    /** @constant */
                    group_by?: "doc_id";
                    min_score?: number;
                    rerank?: boolean;
                    answer?: boolean;
                    explain?: boolean;
                    /** @description Mongo-style filter; see docs/search.md. */
                    filters?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Hybrid search */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hits: {
                            unit_id: string;
                            text?: string;
                            modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                            plane: "text" | "visual" | "audio" | "doc_visual";
                            namespace: string;
                            scope: string;
                            source_uri?: string;
                            mime?: string;
                            locator?: {
                                /** @constant */
                                kind: "time_range";
                                t_start_ms: number;
                                t_end_ms: number;
                            } | {
                                /** @constant */
                                kind: "bbox";
                                page?: number;
                                x: number;
                                y: number;
                                w: number;
                                h: number;
                            } | {
                                /** @constant */
                                kind: "char_span";
                                start: number;
                                end: number;
                            } | {
                                /** @constant */
                                kind: "line_range";
                                start: number;
                                end: number;
                            };
                            doc_id?: string;
                            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                            path?: string[];
                            acl_owner: string;
                            acl_groups: string[];
                            /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                            metadata?: {
                                [key: string]: string | number | boolean | string[];
                            };
                            content_sha256: string | null;
                            created_at: number;
                            updated_at: number;
                            rank: number;
                            score: number;
                            scores: {
                                fused: number;
                                rerank: number | null;
                                legs: {
                                    leg: string;
                                    rank: number;
                                    raw: number | null;
                                }[];
                            };
                            snippet: string | null;
                            highlights: {
                                start: number;
                                end: number;
                            }[];
                            /** @description The sentences of `text` that bear on the query most, as offsets. */
                            evidence?: {
                                start: number;
                                end: number;
                                score: number;
                            }[];
                            explain?: {
                                fusion: {
                                    leg: string;
                                    rank: number;
                                    contribution: number;
                                }[];
                                window: {
                                    start: number;
                                    end: number;
                                } | null;
                                terms: string[];
                            };
                        }[];
                        answer: {
                            /** @description Plain text with inline markers `[1]`; empty when the status is `abstained`. */
                            text: string;
                            status: "answered" | "partial" | "abstained";
                            nli_faithfulness: number | null;
                            claims: {
                                start: number;
                                end: number;
                                verdict: ("entailed" | "neutral" | "contradicted") | null;
                                score: number | null;
                                answers: number;
                                citations: number[];
                            }[];
                            citations: {
                                marker: number;
                                unit_id: string;
                                doc_id: string | null;
                                /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                                path?: string[];
                                scope: string;
                                modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                                plane: "text" | "visual" | "audio" | "doc_visual";
                                source_uri: string | null;
                                locator: ({
                                    /** @constant */
                                    kind: "time_range";
                                    t_start_ms: number;
                                    t_end_ms: number;
                                } | {
                                    /** @constant */
                                    kind: "bbox";
                                    page?: number;
                                    x: number;
                                    y: number;
                                    w: number;
                                    h: number;
                                } | {
                                    /** @constant */
                                    kind: "char_span";
                                    start: number;
                                    end: number;
                                } | {
                                    /** @constant */
                                    kind: "line_range";
                                    start: number;
                                    end: number;
                                }) | null;
                                quote: string;
                                quote_start: number;
                                quote_end: number;
                                mark_start: number;
                                mark_end: number;
                            }[];
                            iterations: number;
                            model: string;
                        } | null;
                        trace: {
                            total_ms: number;
                            stages: {
                                name: string;
                                ms: number;
                                in: number;
                                out: number;
                            }[];
                            fusion: {
                                method: string;
                                k: number;
                            };
                            planes: ("text" | "visual" | "audio" | "doc_visual")[];
                            warnings: string[];
                            rounds?: {
                                round: number;
                                queries: string[];
                                candidates: number;
                                scored: number;
                                best: number | null;
                                ms: number;
                                outcome: string;
                            }[];
                        };
                        context: {
                            principal: {
                                principal_id: string;
                                namespace: string;
                                read_only: boolean;
                                groups: string[];
                            };
                            active_scope: string;
                            requested_scope: string;
                            effective_scopes: string[];
                            allowed_scopes: string[];
                            perms: ("read" | "write" | "admin")[];
                            folders_visible: number;
                            folders_total: number;
                        };
                        hidden_by_acl: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    answer: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    q: string;
                    /** @default 10 */
                    top_k?: number;
                    planes?: ("text" | "visual" | "audio" | "doc_visual")[];
                    modalities?: ("text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection")[];
                    mode?: "hybrid" | "vector" | "fulltext";
                    doc_id?: string;
                    /** @constant */
                    group_by?: "doc_id";
                    min_score?: number;
                    rerank?: boolean;
                    answer: boolean & true;
                    explain?: boolean;
                    /** @description Mongo-style filter; see docs/search.md. */
                    filters?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description A grounded, cited answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hits: {
                            unit_id: string;
                            text?: string;
                            modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                            plane: "text" | "visual" | "audio" | "doc_visual";
                            namespace: string;
                            scope: string;
                            source_uri?: string;
                            mime?: string;
                            locator?: {
                                /** @constant */
                                kind: "time_range";
                                t_start_ms: number;
                                t_end_ms: number;
                            } | {
                                /** @constant */
                                kind: "bbox";
                                page?: number;
                                x: number;
                                y: number;
                                w: number;
                                h: number;
                            } | {
                                /** @constant */
                                kind: "char_span";
                                start: number;
                                end: number;
                            } | {
                                /** @constant */
                                kind: "line_range";
                                start: number;
                                end: number;
                            };
                            doc_id?: string;
                            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                            path?: string[];
                            acl_owner: string;
                            acl_groups: string[];
                            /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                            metadata?: {
                                [key: string]: string | number | boolean | string[];
                            };
                            content_sha256: string | null;
                            created_at: number;
                            updated_at: number;
                            rank: number;
                            score: number;
                            scores: {
                                fused: number;
                                rerank: number | null;
                                legs: {
                                    leg: string;
                                    rank: number;
                                    raw: number | null;
                                }[];
                            };
                            snippet: string | null;
                            highlights: {
                                start: number;
                                end: number;
                            }[];
                            /** @description The sentences of `text` that bear on the query most, as offsets. */
                            evidence?: {
                                start: number;
                                end: number;
                                score: number;
                            }[];
                            explain?: {
                                fusion: {
                                    leg: string;
                                    rank: number;
                                    contribution: number;
                                }[];
                                window: {
                                    start: number;
                                    end: number;
                                } | null;
                                terms: string[];
                            };
                        }[];
                        answer: {
                            /** @description Plain text with inline markers `[1]`; empty when the status is `abstained`. */
                            text: string;
                            status: "answered" | "partial" | "abstained";
                            nli_faithfulness: number | null;
                            claims: {
                                start: number;
                                end: number;
                                verdict: ("entailed" | "neutral" | "contradicted") | null;
                                score: number | null;
                                answers: number;
                                citations: number[];
                            }[];
                            citations: {
                                marker: number;
                                unit_id: string;
                                doc_id: string | null;
                                /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                                path?: string[];
                                scope: string;
                                modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                                plane: "text" | "visual" | "audio" | "doc_visual";
                                source_uri: string | null;
                                locator: ({
                                    /** @constant */
                                    kind: "time_range";
                                    t_start_ms: number;
                                    t_end_ms: number;
                                } | {
                                    /** @constant */
                                    kind: "bbox";
                                    page?: number;
                                    x: number;
                                    y: number;
                                    w: number;
                                    h: number;
                                } | {
                                    /** @constant */
                                    kind: "char_span";
                                    start: number;
                                    end: number;
                                } | {
                                    /** @constant */
                                    kind: "line_range";
                                    start: number;
                                    end: number;
                                }) | null;
                                quote: string;
                                quote_start: number;
                                quote_end: number;
                                mark_start: number;
                                mark_end: number;
                            }[];
                            iterations: number;
                            model: string;
                        };
                        trace: {
                            total_ms: number;
                            stages: {
                                name: string;
                                ms: number;
                                in: number;
                                out: number;
                            }[];
                            fusion: {
                                method: string;
                                k: number;
                            };
                            planes: ("text" | "visual" | "audio" | "doc_visual")[];
                            warnings: string[];
                            rounds?: {
                                round: number;
                                queries: string[];
                                candidates: number;
                                scored: number;
                                best: number | null;
                                ms: number;
                                outcome: string;
                            }[];
                        };
                        context: {
                            principal: {
                                principal_id: string;
                                namespace: string;
                                read_only: boolean;
                                groups: string[];
                            };
                            active_scope: string;
                            requested_scope: string;
                            effective_scopes: string[];
                            allowed_scopes: string[];
                            perms: ("read" | "write" | "admin")[];
                            folders_visible: number;
                            folders_total: number;
                        };
                        hidden_by_acl: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    similar: {
        parameters: {
            query?: {
                /** @description Name of the file when it is the whole body. */
                name?: string;
                /** @description For a picture or sound as the body; a JSON body has it inside */
                top_k?: number;
                /** @description For a picture or sound as the body; a JSON body has it inside; separated by commas */
                planes?: ("text" | "visual" | "audio" | "doc_visual")[];
                /** @description For a picture or sound as the body; a JSON body has it inside; separated by commas */
                modalities?: ("text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection")[];
                /** @description For a picture or sound as the body; a JSON body has it inside */
                doc_id?: string;
                /** @description For a picture or sound as the body; a JSON body has it inside */
                min_score?: number;
                /** @description For a picture or sound as the body; a JSON body has it inside; as JSON; Mongo-style filter; see docs/search.md. */
                filters?: {
                    [key: string]: unknown;
                };
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same, where the query string names none. */
                "X-File-Name"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    unit_id?: string;
                    /** @default 10 */
                    top_k?: number;
                    planes?: ("text" | "visual" | "audio" | "doc_visual")[];
                    modalities?: ("text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection")[];
                    doc_id?: string;
                    min_score?: number;
                    /** @description Mongo-style filter; see docs/search.md. */
                    filters?: {
                        [key: string]: unknown;
                    };
                };
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    doc_id?: string;
                    acl_groups?: string[];
                    /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                    metadata?: {
                        [key: string]: string | number | boolean | string[];
                    };
                };
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Units like a Unit, or like the picture or sound in the body */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hits: {
                            unit_id: string;
                            text?: string;
                            modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                            plane: "text" | "visual" | "audio" | "doc_visual";
                            namespace: string;
                            scope: string;
                            source_uri?: string;
                            mime?: string;
                            locator?: {
                                /** @constant */
                                kind: "time_range";
                                t_start_ms: number;
                                t_end_ms: number;
                            } | {
                                /** @constant */
                                kind: "bbox";
                                page?: number;
                                x: number;
                                y: number;
                                w: number;
                                h: number;
                            } | {
                                /** @constant */
                                kind: "char_span";
                                start: number;
                                end: number;
                            } | {
                                /** @constant */
                                kind: "line_range";
                                start: number;
                                end: number;
                            };
                            doc_id?: string;
                            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                            path?: string[];
                            acl_owner: string;
                            acl_groups: string[];
                            /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                            metadata?: {
                                [key: string]: string | number | boolean | string[];
                            };
                            content_sha256: string | null;
                            created_at: number;
                            updated_at: number;
                            rank: number;
                            score: number;
                            scores: {
                                fused: number;
                                rerank: number | null;
                                legs: {
                                    leg: string;
                                    rank: number;
                                    raw: number | null;
                                }[];
                            };
                            snippet: string | null;
                            highlights: {
                                start: number;
                                end: number;
                            }[];
                            /** @description The sentences of `text` that bear on the query most, as offsets. */
                            evidence?: {
                                start: number;
                                end: number;
                                score: number;
                            }[];
                            explain?: {
                                fusion: {
                                    leg: string;
                                    rank: number;
                                    contribution: number;
                                }[];
                                window: {
                                    start: number;
                                    end: number;
                                } | null;
                                terms: string[];
                            };
                            /** @description Pictures alone: cosine of at least 0.75. */
                            near_duplicate: boolean;
                        }[];
                        answer: null;
                        trace: {
                            total_ms: number;
                            stages: {
                                name: string;
                                ms: number;
                                in: number;
                                out: number;
                            }[];
                            fusion: {
                                method: string;
                                k: number;
                            };
                            planes: ("text" | "visual" | "audio" | "doc_visual")[];
                            warnings: string[];
                            rounds?: {
                                round: number;
                                queries: string[];
                                candidates: number;
                                scored: number;
                                best: number | null;
                                ms: number;
                                outcome: string;
                            }[];
                        };
                        context: {
                            principal: {
                                principal_id: string;
                                namespace: string;
                                read_only: boolean;
                                groups: string[];
                            };
                            active_scope: string;
                            requested_scope: string;
                            effective_scopes: string[];
                            allowed_scopes: string[];
                            perms: ("read" | "write" | "admin")[];
                            folders_visible: number;
                            folders_total: number;
                        };
                        hidden_by_acl: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    units: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Units by time */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        units: {
                            unit_id: string;
                            text?: string;
                            modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                            plane: "text" | "visual" | "audio" | "doc_visual";
                            namespace: string;
                            scope: string;
                            source_uri?: string;
                            mime?: string;
                            locator?: {
                                /** @constant */
                                kind: "time_range";
                                t_start_ms: number;
                                t_end_ms: number;
                            } | {
                                /** @constant */
                                kind: "bbox";
                                page?: number;
                                x: number;
                                y: number;
                                w: number;
                                h: number;
                            } | {
                                /** @constant */
                                kind: "char_span";
                                start: number;
                                end: number;
                            } | {
                                /** @constant */
                                kind: "line_range";
                                start: number;
                                end: number;
                            };
                            doc_id?: string;
                            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                            path?: string[];
                            acl_owner: string;
                            acl_groups: string[];
                            /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                            metadata?: {
                                [key: string]: string | number | boolean | string[];
                            };
                            content_sha256: string | null;
                            created_at: number;
                            updated_at: number;
                        }[];
                        hidden_by_acl: number;
                        context: {
                            principal: {
                                principal_id: string;
                                namespace: string;
                                read_only: boolean;
                                groups: string[];
                            };
                            active_scope: string;
                            requested_scope: string;
                            effective_scopes: string[];
                            allowed_scopes: string[];
                            perms: ("read" | "write" | "admin")[];
                            folders_visible: number;
                            folders_total: number;
                        };
                        next_cursor: number | null;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    unit: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One Unit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        unit_id: string;
                        text?: string;
                        modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                        plane: "text" | "visual" | "audio" | "doc_visual";
                        namespace: string;
                        scope: string;
                        source_uri?: string;
                        mime?: string;
                        locator?: {
                            /** @constant */
                            kind: "time_range";
                            t_start_ms: number;
                            t_end_ms: number;
                        } | {
                            /** @constant */
                            kind: "bbox";
                            page?: number;
                            x: number;
                            y: number;
                            w: number;
                            h: number;
                        } | {
                            /** @constant */
                            kind: "char_span";
                            start: number;
                            end: number;
                        } | {
                            /** @constant */
                            kind: "line_range";
                            start: number;
                            end: number;
                        };
                        doc_id?: string;
                        /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                        path?: string[];
                        acl_owner: string;
                        acl_groups: string[];
                        /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                        metadata?: {
                            [key: string]: string | number | boolean | string[];
                        };
                        content_sha256: string | null;
                        created_at: number;
                        updated_at: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    removeUnit: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes one Unit; with the last one of a file, the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    preview: {
        parameters: {
            query?: {
                /** @description Longer side of the picture in pixels. */
                size?: number;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture of a Unit: the page, the crop, the frame, the waveform */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    ingest: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same key with the same body is answered again and stored once, for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    units: {
                        /** @description Embedded and full-text indexed; at most 256 KiB. */
                        text?: string;
                        modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
                        plane?: "text" | "visual" | "audio" | "doc_visual";
                        scope?: string;
                        source_uri?: string;
                        mime?: string;
                        locator?: {
                            /** @constant */
                            kind: "time_range";
                            t_start_ms: number;
                            t_end_ms: number;
                        } | {
                            /** @constant */
                            kind: "bbox";
                            page?: number;
                            x: number;
                            y: number;
                            w: number;
                            h: number;
                        } | {
                            /** @constant */
                            kind: "char_span";
                            start: number;
                            end: number;
                        } | {
                            /** @constant */
                            kind: "line_range";
                            start: number;
                            end: number;
                        };
                        doc_id?: string;
                        /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
                        path?: string[];
                        acl_owner?: string;
                        acl_groups?: string[];
                        /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                        metadata?: {
                            [key: string]: string | number | boolean | string[];
                        };
                    }[];
                };
            };
        };
        responses: {
            /** @description Stores a batch of Units, whole or not at all */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ingested: number;
                        created: number;
                        updated: number;
                        unchanged: number;
                        units: {
                            index: number;
                            unit_id: string;
                            status: "created" | "updated" | "unchanged";
                        }[];
                        audit_seq: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description upgrade_required or quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: {
                /** @description Name of the file when it is the whole body. */
                name?: string;
                /** @description Answer when the Units are searchable. */
                wait?: boolean;
                /** @description Groups the Units; without it, the id of the file. For a whole body; a form has fields. */
                doc_id?: string;
                /** @description Groups that may read the Units: repeated, separated by commas, or a JSON array. */
                acl_groups?: string;
                /** @description Metadata of all its Units, as a JSON object. */
                metadata?: string;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same, where the query string names none. */
                "X-File-Name"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    doc_id?: string;
                    acl_groups?: string[];
                    /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                    metadata?: {
                        [key: string]: string | number | boolean | string[];
                    };
                };
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Takes a file in and makes Units of it; with wait=true, answers when they are searchable */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        file_id: string;
                        doc_id: string;
                        source_uri: string;
                        job: {
                            id: string;
                            file_id: string;
                            state: "queued" | "running" | "done" | "failed";
                            stage: string;
                            progress: number;
                            counts: {
                                units: number;
                                created: number;
                            };
                            notes: string[];
                            error: {
                                error: string;
                                detail: string;
                            } | null;
                            created_at: number;
                            updated_at: number;
                        };
                    };
                };
            };
            /** @description Takes a file in and makes Units of it; with wait=true, answers when they are searchable */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        file_id: string;
                        doc_id: string;
                        source_uri: string;
                        job: {
                            id: string;
                            file_id: string;
                            state: "queued" | "running" | "done" | "failed";
                            stage: string;
                            progress: number;
                            counts: {
                                units: number;
                                created: number;
                            };
                            notes: string[];
                            error: {
                                error: string;
                                detail: string;
                            } | null;
                            created_at: number;
                            updated_at: number;
                        };
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description upgrade_required or quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    file: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file and its Units */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        file_id: string;
                        doc_id: string;
                        source_uri: string;
                        name: string;
                        kind: string;
                        mime: string;
                        bytes: number;
                        sha256: string;
                        scope: string;
                        acl_owner: string;
                        acl_groups: string[];
                        /** @description A flat object of strings, numbers, booleans or arrays of strings. */
                        metadata?: {
                            [key: string]: string | number | boolean | string[];
                        };
                        /** @description The version of the extractor of its kind that read it. */
                        extractor: number;
                        units: string[];
                        job: {
                            id: string;
                            file_id: string;
                            state: "queued" | "running" | "done" | "failed";
                            stage: string;
                            progress: number;
                            counts: {
                                units: number;
                                created: number;
                            };
                            notes: string[];
                            error: {
                                error: string;
                                detail: string;
                            } | null;
                            created_at: number;
                            updated_at: number;
                        } | null;
                        created_at: number;
                        updated_at: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    removeFile: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a file with its Units */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    fileContent: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description One range of bytes, such as bytes=0-1023. */
                Range?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of a file; takes a Range */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The bytes of a file; takes a Range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description range_not_satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    job: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the work on a file is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        file_id: string;
                        state: "queued" | "running" | "done" | "failed";
                        stage: string;
                        progress: number;
                        counts: {
                            units: number;
                            created: number;
                        };
                        notes: string[];
                        error: {
                            error: string;
                            detail: string;
                        } | null;
                        created_at: number;
                        updated_at: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Catalog stats over what the caller may read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        namespace: string;
                        language?: "en" | "any" | "ar" | "hy" | "da" | "nl" | "fi" | "fr" | "de" | "el" | "hi" | "hu" | "id" | "ga" | "it" | "lt" | "ne" | "no" | "pt" | "ro" | "ru" | "sr" | "es" | "sv" | "ta" | "tr" | "ja" | "th" | "vi" | "zh";
                        scope: string;
                        planes: {
                            plane: "text" | "visual" | "audio" | "doc_visual";
                            model: string;
                            dims: number;
                            metric: string;
                            vectors: number;
                            indexed: number;
                            lag: number;
                            /** @description Units that an index cannot take: `strata doctor` names them. */
                            quarantined?: number;
                            /** @description What is seen or heard in the Units of the plane, beside their text. */
                            content?: {
                                model: string;
                                dims: number;
                                metric: string;
                                vectors: number;
                            };
                            health: "green" | "yellow" | "red";
                        }[];
                        queries_per_day: number;
                        storage: {
                            object_store_gb: number;
                            catalog_rows: number;
                            vectors: number;
                        };
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    audit: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rows of the audit chain, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        namespace: string;
                        rows: {
                            /**
                             * @description Absent in rows of the first form.
                             * @constant
                             */
                            v?: 2;
                            seq: number;
                            ts: number;
                            namespace: string;
                            principal_id: string | null;
                            action: "seed" | "ingest" | "search" | "answer" | "context" | "scopes.list" | "scope.delete" | "namespace.create" | "namespace.set" | "unit.get" | "unit.delete" | "unit.preview" | "units.list" | "similar" | "file.get" | "file.content" | "file.delete" | "files.reread" | "job.get" | "stats" | "audit.list" | "audit.verify" | "audit.rekey" | "session.create" | "session.delete" | "token.create" | "token.list" | "token.revoke";
                            outcome: "ok" | "denied" | "error";
                            scope: string | null;
                            target: string | null;
                            detail: {
                                [key: string]: string | number | boolean | null;
                            } | null;
                            /** @description Base64url; only where the content is shown. */
                            salt?: string;
                            content_hash?: string;
                            prev_hash: string;
                            row_hash: string;
                        }[];
                        count: number;
                        next_cursor: number | null;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    verify: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Recomputes the audit chain */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        namespace: string;
                        intact: boolean;
                        checked: number;
                        head_seq: number;
                        head_hash: string;
                        break_at: number | null;
                        reason: string | null;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    seed: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description (Re)seeds the demo: open until a token exists, then for admins of the namespace demo */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        namespaces: {
                            namespace: string;
                            tier: "free" | "pro" | "enterprise";
                        }[];
                        principals: {
                            principal_id: string;
                            namespace: string;
                            perms: ("read" | "write" | "admin")[];
                            scopes: string[];
                            groups: string[];
                            read_only: boolean;
                        }[];
                        scopes: {
                            namespace: string;
                            scope: string;
                        }[];
                        tokens: {
                            name: string;
                            token: string;
                            principal_id: string;
                            namespace: string;
                        }[];
                        counts: {
                            units: number;
                            scopes: number;
                            principals: number;
                            tokens: number;
                            by_plane: {
                                [key: string]: number;
                            };
                            by_modality: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    reread: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Go on behind this file: `next` of the call before. */
                    after?: string;
                    /**
                     * @description Also files of which Units were deleted one by one: these Units come back.
                     * @default false
                     */
                    with_deleted?: boolean;
                };
            };
        };
        responses: {
            /** @description Reads stored files again that older extractors read, a page of files a call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: {
                            file_id: string;
                            name: string;
                            scope: string;
                            job: {
                                id: string;
                                file_id: string;
                                state: "queued" | "running" | "done" | "failed";
                                stage: string;
                                progress: number;
                                counts: {
                                    units: number;
                                    created: number;
                                };
                                notes: string[];
                                error: {
                                    error: string;
                                    detail: string;
                                } | null;
                                created_at: number;
                                updated_at: number;
                            };
                        }[];
                        left_out: {
                            file_id: string;
                            name: string;
                            scope: string;
                            reason: string;
                        }[];
                        outdated: number;
                        next: string | null;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    tokens: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description API tokens, live and revoked, without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tokens: {
                            id: string;
                            name: string;
                            namespace: string;
                            principal_id: string;
                            perms: ("read" | "write" | "admin")[];
                            scopes: string[];
                            groups: string[];
                            read_only: boolean;
                            created_at: number;
                            /** @description Published with the product. */
                            seeded: boolean;
                            revoked_at: number | null;
                        }[];
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    principal_id: string;
                    /** @description Of a new principal; read without it. */
                    perms?: ("read" | "write" | "admin")[];
                    /** @description Each with all below it; all without it. */
                    scopes?: string[];
                    active_scope?: string;
                    groups?: string[];
                    read_only?: boolean;
                };
            };
        };
        responses: {
            /** @description Makes an API token, and its principal when that is new; never with more than the caller has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        namespace: string;
                        principal_id: string;
                        perms: ("read" | "write" | "admin")[];
                        scopes: string[];
                        groups: string[];
                        read_only: boolean;
                        created_at: number;
                        /** @description The secret, shown this once. */
                        token: string;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revokes an API token, and ends the sessions made from it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        namespace: string;
                        principal_id: string;
                        perms: ("read" | "write" | "admin")[];
                        scopes: string[];
                        groups: string[];
                        read_only: boolean;
                        created_at: number;
                        /** @description Published with the product. */
                        seeded: boolean;
                        revoked_at: number | null;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Exchanges an API token for a console session cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        principal_id: string;
                        namespace: string;
                        expires_at: number;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
    closeSession: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ends the session of the cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: boolean;
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
                        detail: string;
                        status: number;
                    };
                };
            };
        };
    };
}
